/* Embargo and interdiction where the receiver calculates: one sender, one receiver, a link of LATENCY cycles each
 * way. A cycle is one step. Destination 0 may stop for ever, destination 1 takes a message at the latest every third
 * cycle. Each has one ordinary buffer; the bank has RESERVE places for what is under way, and one more.
 *
 * The sender offers both in turn; one that is released stands behind the other.
 *
 * Held: no message finds the bank full, and messages of a destination arrive in the order in which they were sent. With
 * -DSERVES the bank has room for what a stopped destination leaves in it and for as much again, and destination 1 is
 * served for ever, whatever destination 0 does; without, it has the least that interdiction can protect.
 *
 * Faults: 1 interdiction comes when it is too late for one message; 2 a release is not told; 3 interdiction stops only
 * destination 0.
 * -DWALK prints what the sender hears and sends, what leaves, comes and lies in the bank, for an interface and a switch
 * to be compared with (replay_test.cpp). */
#ifndef LATENCY
#define LATENCY 1
#endif
#ifndef FAULT
#define FAULT 0
#endif
#define UNDER_WAY (2 * LATENCY)      /* sent before the sender can know */
#ifdef SERVES
#define BANK (2 * UNDER_WAY + 1)
#else
#define BANK (UNDER_WAY + 1)
#endif
#if FAULT == 1
#define KEPT (UNDER_WAY - 2)
#else
#define KEPT (UNDER_WAY - 1)
#endif
#define NONE 7

byte link[LATENCY], number[LATENCY]; /* under way: destination or NONE, and its number modulo 4 */
byte news[LATENCY];                  /* 0 nothing, 1 + d embargo, 3 + d release */
bool stop[LATENCY];                  /* interdiction, under way */

bool embargoed[2], interdicted;      /* what the sender knows */
byte turn;
byte sent[2], delivered[2];          /* numbers modulo 4 */

bool told[2];                        /* what the receiver has told */
byte buffer[2];                      /* number of the message in it, or NONE */
byte bank[BANK], bank_number[BANK], in_bank;
byte patience;
bool served;
#ifdef WALK
byte gone[2];
#endif

inline forget(i) { /* takes place i out of the bank */
  k = i;
  do
  :: k + 1 < in_bank -> bank[k] = bank[k + 1]; bank_number[k] = bank_number[k + 1]; k++
  :: else -> break
  od;
  in_bank--;
  bank[in_bank] = NONE; bank_number[in_bank] = 0
}

inline find(d) { /* place of the oldest of d in the bank, or in_bank */
  at = 0;
  do
  :: at < in_bank && bank[at] != d -> at++
  :: else -> break
  od
}

inline leave(d) { /* destination d takes its message; the next one moves into the buffer */
  if
  :: buffer[d] != NONE ->
    assert(buffer[d] == delivered[d]);
#ifdef WALK
    gone[d] = buffer[d];
#endif
    delivered[d] = (delivered[d] + 1) % 4;
    if
    :: d == 1 -> served = true; patience = 0
    :: else
    fi;
    find(d);
    if
    :: at < in_bank -> buffer[d] = bank_number[at]; forget(at)
    :: else -> buffer[d] = NONE
    fi
  :: else
  fi
}

active proctype cycle() {
  byte k, at, d, arrived, arrived_number, said;
  bool wanted;
  d_step {
    k = 0;
    do
    :: k < LATENCY -> link[k] = NONE; k++
    :: else -> break
    od;
    buffer[0] = NONE; buffer[1] = NONE
  }
  do
  :: /* what comes in this cycle */
    d_step {
      arrived = link[LATENCY - 1]; arrived_number = number[LATENCY - 1];
      said = news[LATENCY - 1]; interdicted = stop[LATENCY - 1];
      k = LATENCY - 1;
      do
      :: k > 0 ->
        link[k] = link[k - 1]; number[k] = number[k - 1]; news[k] = news[k - 1]; stop[k] = stop[k - 1]; k--
      :: else -> break
      od;
      served = false;
      if
      :: said == 1 || said == 2 -> embargoed[said - 1] = true
      :: said >= 3 ->
        embargoed[said - 3] = false;
        if
        :: !embargoed[4 - said] -> turn = 4 - said
        :: else -> turn = said - 3
        fi
      :: else
      fi;
#ifdef WALK
      printf("walk said %d %d", said, interdicted);
      gone[0] = NONE; gone[1] = NONE;
#endif
      said = 0
    }
    /* the sender */
    if
    :: !interdicted && !embargoed[0] && (turn == 0 || embargoed[1]) -> d = 0; turn = 1
#if FAULT == 3
    :: !embargoed[1] && (turn == 1 || embargoed[0]) -> d = 1; turn = 0
#else
    :: !interdicted && !embargoed[1] && (turn == 1 || embargoed[0]) -> d = 1; turn = 0
#endif
    :: else -> d = NONE
    fi;
    /* destinations take what is in their buffers */
    if
    :: leave(0)
    :: skip
    fi;
    if
    :: leave(1)
    :: patience < 2 -> patience++
    fi;
    d_step {
      link[0] = d;
      if
      :: d != NONE -> number[0] = sent[d]; sent[d] = (sent[d] + 1) % 4
      :: else -> number[0] = 0
      fi;
      /* the receiver: a buffer, or the bank behind what waits there */
      if
      :: arrived != NONE ->
        find(arrived);
        if
        :: buffer[arrived] == NONE && at == in_bank -> buffer[arrived] = arrived_number
        :: else ->
          assert(in_bank < BANK);
          bank[in_bank] = arrived; bank_number[in_bank] = arrived_number; in_bank++
        fi
      :: else
      fi;
#ifdef WALK
      printf(" sent %d %d left %d %d came %d %d", d, number[0], gone[0], gone[1], arrived, arrived_number);
#endif
      /* at most one message of control a cycle */
      d = 0;
      do
      :: d < 2 && said == 0 ->
        find(d);
        wanted = at < in_bank;
        if
        :: wanted && !told[d] -> told[d] = true; said = 1 + d
        #if FAULT != 2
        :: !wanted && told[d] -> told[d] = false; said = 3 + d
#endif
        :: else
        fi;
        d++
      :: else -> break
      od;
      news[0] = said;
      stop[0] = (BANK - in_bank <= KEPT);
#ifdef WALK
      find(0); said = (at < in_bank);
      find(1); printf(" banked %d %d stop %d\n", said, at < in_bank, stop[0]);
#endif
      arrived = NONE; arrived_number = 0; said = 0; d = 0; at = 0; k = 0; wanted = false
    }
  od
}

#ifdef SERVES
ltl serves { []<> served }
#endif
