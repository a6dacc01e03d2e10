CREATE TABLE `t` (
  `a` blob,
 `b` blob
);
INSERT INTO `t` (`a`,`b`) VALUES ('it''s\\',_binary '\'\0'),(0x00,-1.5e+3);