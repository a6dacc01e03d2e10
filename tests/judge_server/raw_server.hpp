#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include <httplib.h>

namespace touchstone::judge_server {

/// A thread for each connection, however many there are.
std::unique_ptr<httplib::Server> make_server();

/// Binds it to a port of 127.0.0.1 (0: any) and returns that, or -1.
int bind(httplib::Server& server, int port);

/// The connection whose request this thread handles, with the power to misbehave on it. After `hang_up` nothing that
/// httplib writes reaches it.
bool send_raw(std::string_view bytes);
/// False once the client left before all bytes of this reply could be sent.
bool client_stays();
/// Sends bytes in place of httplib's reply; the connection stays for further requests.
bool answer_raw(std::string_view bytes);
/// The server that is made next sends these bytes on every connection before it reads any of a request.
void greet_with(std::string bytes);
/// Ends the connection after the reply so far: `reset` as a crashed process does, else in good order.
bool hang_up(bool reset);
/// Holds the connection open until the client leaves.
bool wait_for_client_to_leave();

}  // namespace touchstone::judge_server
