 -- MySQL dump 10.19
-- Host: db    Database: tinywiki
CREATE TABLE `pagelinks` (
  `pl_from` int,
  `pl_target_id` bigint,
  PRIMARY KEY (`pl_from`)
) ENGINE=InnoDB;
INSERT INTO `pagelinks` VALUES (1,2),(3,'