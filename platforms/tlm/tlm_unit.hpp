#pragma once
#include <spillway/platforms/catalogue/block_kinds.hpp>
#include <spillway/tlm/tlm_port.hpp>

namespace spillway {

/// The interface `tlm`: TLM-2.0 sockets at every terminal, requests and replies over two networks.
interface_kind tlm_interface();

/// The port of a terminal whose interface is `tlm`. Throws std::logic_error for another interface.
tlm_port& port_of(terminal_unit& unit);

}  // namespace spillway
