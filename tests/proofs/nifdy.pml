/* NIFDY's scalar packets between two terminals that both send to the other: one unacknowledged packet, an arrivals FIFO
 * of one, channels that hold one packet each. With -DLOSSY a channel may lose what is on it; then packets carry a bit,
 * acknowledgements that of their packet, and what is not acknowledged is sent again.
 *
 * Held: packets are accepted once and in order, nothing stands still, and where nothing is lost packets are accepted for
 * ever.
 * Faults: 1 a packet that has been acknowledged is accepted again; 2 an acknowledgement is taken for any packet.
 * -DWALK prints what terminal 0 does: 0 sends, 1 sends again, 2 takes a packet in, 3 accepts it, 4 acknowledges, 5 takes an
 * acknowledgement; number and bit; and whether it then has something unacknowledged, in the FIFO, to be acknowledged, and
 * how much it has accepted, for the unit to be compared with (replay_test.cpp). */
#ifndef FAULT
#define FAULT 0
#endif
#ifdef WALK
#define SHOW(what, number, bit) \
  if :: me == 0 -> printf("walk does %d number %d bit %d holds %d %d %d %d\n", what, number, bit, outstanding, waiting, \
                          owes, expected) :: else fi
#else
#define SHOW(what, number, bit) skip
#endif
#define PACKET 1
#define ACK 2

chan requests[2] = [1] of { byte, bit, byte }; /* kind, bit, number modulo 4: towards terminal i */
chan answers[2] = [1] of { byte, bit, byte };
byte losses;                                   /* since something was accepted */
bit accepted;                                  /* turns each time */

proctype terminal(byte me) {
  byte next, expected, number, waiting_number;
  bit mine, known, got, waiting_bit;
  bool outstanding, waiting, owes;
  bit owed;
  /* known: bit of the next packet that is new */
  do
  :: atomic { !outstanding && nfull(requests[1 - me]) ->
      requests[1 - me]!PACKET(mine, next); outstanding = true; SHOW(0, next, mine) }
#ifdef LOSSY
  :: atomic { outstanding && nfull(requests[1 - me]) -> /* again: it may be lost */
      requests[1 - me]!PACKET(mine, next); SHOW(1, next, mine) }
#endif
  :: atomic { !waiting && requests[me]?[PACKET, got, number] -> /* into the arrivals FIFO */
      requests[me]?PACKET(got, number); waiting = true; waiting_bit = got; waiting_number = number;
      SHOW(2, number, got) }
  :: atomic { waiting && !owes -> /* the processor accepts it; then it is acknowledged */
      if
#if FAULT == 1
      :: true ->
#else
      :: waiting_bit == known ->
#endif
        assert(waiting_number == expected);
        expected = (expected + 1) % 4; known = 1 - waiting_bit; owes = true; accepted = 1 - accepted; losses = 0
#if FAULT != 1
      :: else -> owes = true /* once more: its acknowledgement was lost */
#endif
      fi;
      owed = waiting_bit; waiting = false; SHOW(3, waiting_number, waiting_bit) }
  :: atomic { owes && nfull(answers[1 - me]) -> answers[1 - me]!ACK(owed, 0); owes = false; SHOW(4, 0, owed) }
  :: atomic { answers[me]?[ACK, got, number] ->
      answers[me]?ACK(got, number);
      if
#if FAULT == 2
      :: outstanding ->
#else
      :: outstanding && got == mine ->
#endif
        outstanding = false; mine = 1 - mine; next = (next + 1) % 4
      :: else
      fi;
      SHOW(5, 0, got) }
  od
}

#ifdef LOSSY
/* Loses what it likes, but not more than four in a row. */
active proctype thief() {
  do
  :: atomic { losses < 4 && nempty(requests[0]) -> requests[0]?_, _, _; losses++ }
  :: atomic { losses < 4 && nempty(requests[1]) -> requests[1]?_, _, _; losses++ }
  :: atomic { losses < 4 && nempty(answers[0]) -> answers[0]?_, _, _; losses++ }
  :: atomic { losses < 4 && nempty(answers[1]) -> answers[1]?_, _, _; losses++ }
  od
}
#endif

init { atomic { run terminal(0); run terminal(1) } }

#ifndef LOSSY /* whether all is lost for ever is not NIFDY's to say */
ltl goes_on { ([]<> accepted) && ([]<> !accepted) }
#endif
