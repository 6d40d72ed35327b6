/* Three terminals of NIFDY that all send to the others, each with a place for one packet whose acknowledgement it owes,
 * and channels towards a terminal that hold one packet. With two networks acknowledgements have channels of their own.
 *
 * Held with two networks: nothing stands still. With one, all can: each owes an acknowledgement to a terminal whose
 * channel holds a packet, which that does not take before it has got rid of its own. */
#ifndef NETWORKS
#define NETWORKS 2
#endif
#define N 3
#define PACKET 1
#define ACK 2
#define NOBODY N

chan packets[N] = [1] of { byte, byte }; /* kind, source: towards terminal i */
chan acks[N] = [1] of { byte, byte };
#if NETWORKS == 2
#define ANSWERS(i) acks[i]
#else
#define ANSWERS(i) packets[i]
#endif

proctype terminal(byte me) {
  byte from, owes = NOBODY, to;
  bool outstanding[N];
  do
  :: atomic { !outstanding[(me + 1) % N] && nfull(packets[(me + 1) % N]) ->
      packets[(me + 1) % N]!PACKET(me); outstanding[(me + 1) % N] = true }
  :: atomic { !outstanding[(me + 2) % N] && nfull(packets[(me + 2) % N]) ->
      packets[(me + 2) % N]!PACKET(me); outstanding[(me + 2) % N] = true }
  :: atomic { owes == NOBODY && packets[me]?[PACKET, from] -> packets[me]?PACKET(from); owes = from; from = 0 }
  :: atomic { owes != NOBODY && nfull(ANSWERS(owes)) -> to = owes; ANSWERS(to)!ACK(me); owes = NOBODY; to = 0 }
  :: atomic { ANSWERS(me)?[ACK, from] -> ANSWERS(me)?ACK(from); outstanding[from] = false; from = 0 }
  od
}

init { atomic { run terminal(0); run terminal(1); run terminal(2) } }
