#pragma once

#include <string>
#include <string_view>

namespace touchstone::judge_server {

std::string gzipped(const std::string& text);

/// Does what httplib would not do with a reply: breaks, prolongs, cuts or falsifies it on the wire. False when the deed
/// is not one of these; nothing was sent then.
bool misbehave(std::string_view deed, const std::string& body);

/// A whole reply with a yes in it that belongs to no request.
std::string unasked_reply();

/// True for deeds of `misbehave` after which the client has the whole reply, if it understands HTTP.
bool is_right(std::string_view deed);

}  // namespace touchstone::judge_server
