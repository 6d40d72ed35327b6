/* NIFDY's scalar packets between two terminals that both send to the other: one unacknowledged packet, an arrivals FIFO
 * of one, channels that hold one packet each. With -DLOSSY they hold two and hand them out in any order, and may lose
 * them; then packets carry a bit, acknowledgements that of their packet, and what is not acknowledged is sent again. The
 * packet after one that was sent again goes when nothing is left of it, which a time tells the unit.
 *
 * Held: packets are accepted once and in order, nothing stands still, and where nothing is lost packets are accepted for
 * ever.
 * Faults: 1 a packet that has been acknowledged is accepted again; the packet after one that was sent again goes 2 while an
 * acknowledgement of that one is under way, 3 at once.
 * -DWALK prints what terminal 0 does: 0 sends, 1 sends again, 2 takes a packet in, 3 accepts it, 4 acknowledges, 5 takes an
 * acknowledgement; number and bit; and whether it then has something unacknowledged, in the FIFO, to be acknowledged, how
 * much it has accepted, and whether what it sent last was sent again, for the unit to be compared with
 * (replay_test.cpp). */
#ifndef FAULT
#define FAULT 0
#endif
#ifdef WALK
#define SHOW(what, number, bit) \
  if :: me == 0 -> printf("walk does %d number %d bit %d holds %d %d %d %d again %d\n", what, number, bit, outstanding, \
                          waiting[me], owes[me], expected, again) :: else fi
#else
#define SHOW(what, number, bit) skip
#endif
#define PACKET 1
#define ACK 2

#ifdef LOSSY
#define PLACES 2
#else
#define PLACES 1
#endif
#if FAULT == 3
#define RESTS false
#elif FAULT == 2
#define RESTS (again && (len(requests[1 - me]) > 0 || waiting[1 - me] || owes[1 - me]))
#else
/* A copy or an acknowledgement of the last packet is under way. */
#define RESTS (again && (len(requests[1 - me]) > 0 || waiting[1 - me] || owes[1 - me] || len(answers[me]) > 0))
#endif

chan requests[2] = [PLACES] of { byte, bit, byte }; /* kind, bit, number modulo 4: towards terminal i */
chan answers[2] = [PLACES] of { byte, bit, byte };
bool waiting[2], owes[2]; /* in the arrivals FIFO; to be acknowledged */
byte losses;                                   /* since something was accepted */
bit accepted;                                  /* turns each time */

inline take(from, kind, bits, what) {
  if
  :: from?kind(bits, what)
  :: len(from) == 2 -> from?kind(bits, what); from!kind(bits, what); from?kind(bits, what) /* the later one first */
  fi
}

proctype terminal(byte me) {
  byte next, expected, number, waiting_number;
  bit mine, known, got, waiting_bit;
  bool outstanding, again;
  bit owed;
  /* known: bit of the next packet that is new */
  do
  :: atomic { !outstanding && nfull(requests[1 - me]) && !RESTS ->
      requests[1 - me]!PACKET(mine, next); outstanding = true; again = false; SHOW(0, next, mine) }
#ifdef LOSSY
  :: atomic { outstanding && nfull(requests[1 - me]) -> /* again: it may be lost */
      requests[1 - me]!PACKET(mine, next); again = true; SHOW(1, next, mine) }
#endif
  :: atomic { !waiting[me] && nempty(requests[me]) -> /* into the arrivals FIFO */
      take(requests[me], PACKET, got, number);
      waiting[me] = true; waiting_bit = got; waiting_number = number;
      SHOW(2, number, got) }
  :: atomic { waiting[me] && !owes[me] -> /* the processor accepts it; then it is acknowledged */
      if
#if FAULT == 1
      :: true ->
#else
      :: waiting_bit == known ->
#endif
        assert(waiting_number == expected);
        expected = (expected + 1) % 4; known = 1 - waiting_bit; owes[me] = true; accepted = 1 - accepted; losses = 0
#if FAULT != 1
      :: else -> owes[me] = true /* once more: its acknowledgement was lost */
#endif
      fi;
      owed = waiting_bit; waiting[me] = false; SHOW(3, waiting_number, waiting_bit) }
  :: atomic { owes[me] && nfull(answers[1 - me]) -> answers[1 - me]!ACK(owed, 0); owes[me] = false; SHOW(4, 0, owed) }
  :: atomic { nempty(answers[me]) ->
      take(answers[me], ACK, got, number);
      if
      :: outstanding && got == mine ->
        outstanding = false; mine = 1 - mine; next = (next + 1) % 4
      :: else
      fi;
      SHOW(5, 0, got) }
  od
}

#ifdef LOSSY
/* Loses what it likes, but not more than two in a row. */
active proctype thief() {
  do
  :: atomic { losses < 2 && nempty(requests[0]) -> requests[0]?_, _, _; losses++ }
  :: atomic { losses < 2 && nempty(requests[1]) -> requests[1]?_, _, _; losses++ }
  :: atomic { losses < 2 && nempty(answers[0]) -> answers[0]?_, _, _; losses++ }
  :: atomic { losses < 2 && nempty(answers[1]) -> answers[1]?_, _, _; losses++ }
  od
}
#endif

init { atomic { run terminal(0); run terminal(1) } }

#ifndef LOSSY /* whether all is lost for ever is not NIFDY's to say */
ltl goes_on { ([]<> accepted) && ([]<> !accepted) }
#endif
