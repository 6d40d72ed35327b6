#pragma once

namespace spillway::theory {

/// Times of Callahan and Goldstein's NIFDY, in cycles, positive.
struct nifdy_times {
  double t_send = 40, t_receive = 60, t_link = 32;
  double latency = 70;   ///< T_lat(d), one way; 70 is their 8x8 mesh, 4d + 14, at d = 14
  double t_ackproc = 4;  ///< both ends together
  /// How much later a bulk packet is acknowledged than a scalar one, which is when its head has come. The
  /// paper's equations have no such time.
  double t_tail = 0;
  double interval() const;  ///< cycles between packets without the protocol, the largest of the first three
};

/// Eq. 1: w/max(T_send, T_receive, T_link), words a cycle.
double nifdy_bandwidth(const nifdy_times& t, double words);
/// Eq. 2: 2 T_lat(d) + T_ackproc.
double nifdy_roundtrip(const nifdy_times& t);
/// One packet outstanding: w/max(T_roundtrip, interval). It costs nothing when T_roundtrip <= interval.
double nifdy_scalar_bandwidth(const nifdy_times& t, double words);
/// Eq. 3: least window with an ack every W/2 packets, 2 (T_roundtrip/T_receive - 1), at least 0, where
/// T_roundtrip, of a bulk packet, has t_tail in it. The largest of the three times stands for T_receive, as
/// the paper's section 2.4.2 asks.
double nifdy_window_combined(const nifdy_times& t);
/// Eq. 4: least window with an ack for each packet, T_roundtrip/T_receive.
double nifdy_window_each(const nifdy_times& t);

/// First choice of a unit's parameters.
struct nifdy_advice {
  unsigned outstanding = 0, pool = 0, dialogs = 0, window = 0;
};
/// As section 2.4.3 chooses them: a round trip that is not longer than the interval between packets needs no
/// dialogs; else one a receiver, or as many as it can handle of slower senders, with the window of equation 3
/// (or 4 with `ack_each`) for the longest way, rounded up to whole half windows, or down where the network
/// holds no more than two packets a processor. As many packets may be outstanding, and wait, as the network
/// holds a processor, to the next power of two from 4 to 8.
/// @param t       with the latency of the longest way
/// @param volume  packets of one logical network that the network holds a processor
nifdy_advice nifdy_advise(const nifdy_times& t, double volume, bool ack_each);

}  // namespace spillway::theory
