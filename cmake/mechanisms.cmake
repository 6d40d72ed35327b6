# The mechanisms. Each has a folder of this name at every level that it reaches (hw, tlm, platforms, tb, tests);
# NEEDS names those whose code it uses, which tests/layout compares with the includes. SPILLWAY_MECHANISMS
# chooses those that are linked.
spillway_mechanism(packet)
spillway_mechanism(wormhole)
spillway_mechanism(dampening NEEDS packet)
spillway_mechanism(nifdy)
spillway_mechanism(ecn)
spillway_mechanism(srp)
spillway_mechanism(isolation NEEDS packet)
spillway_mechanism(flow_pause NEEDS packet)
spillway_mechanism(feedback NEEDS packet nifdy)
spillway_mechanism(circuit)
spillway_mechanism(combining)
spillway_mechanism(reduction)
spillway_mechanism(hypercube NEEDS combining)
spillway_mechanism(goal)
spillway_mechanism(netrace NEEDS goal)
spillway_mechanism(dram)
