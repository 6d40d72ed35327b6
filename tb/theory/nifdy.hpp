#pragma once

namespace spillway::theory {

/// Times of Callahan and Goldstein's NIFDY, in cycles, positive.
struct nifdy_times {
  double t_send = 40, t_receive = 60, t_link = 32;
  double latency = 70;      ///< T_lat(d), one way; 70 is their 8x8 mesh, 4d + 14, at d = 14
  double t_ackproc = 4;     ///< both ends together
  double interval() const;  ///< cycles between packets without the protocol, the largest of the first three
};

/// Eq. 1: w/max(T_send, T_receive, T_link), words a cycle.
double nifdy_bandwidth(const nifdy_times& t, double words);
/// Eq. 2: 2 T_lat(d) + T_ackproc.
double nifdy_roundtrip(const nifdy_times& t);
/// One packet outstanding: w/max(T_roundtrip, interval). It costs nothing when T_roundtrip <= interval.
double nifdy_scalar_bandwidth(const nifdy_times& t, double words);
/// Eq. 3: least window with an ack every W/2 packets, 2 (T_roundtrip/T_receive - 1), at least 0. The largest
/// of the three times stands for T_receive, as the paper's section 2.4.2 asks.
double nifdy_window_combined(const nifdy_times& t);
/// Eq. 4: least window with an ack for each packet, T_roundtrip/T_receive.
double nifdy_window_each(const nifdy_times& t);

}  // namespace spillway::theory
