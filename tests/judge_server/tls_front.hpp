#pragma once

#include <string>

namespace touchstone::judge_server {

/// Speaks TLS in front of a server of this machine: bytes pass unchanged both ways, and a connection that one side ends
/// or resets ends so on the other. Served by threads of this process until that ends. Returns the port of 127.0.0.1
/// where it listens. Throws Error. \param certificate, key  PEM files \param port  where to listen; 0: any
int start_tls_front(const std::string& certificate, const std::string& key, int port, int server_port);

}  // namespace touchstone::judge_server
