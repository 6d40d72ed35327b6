/* NIFDY's bulk dialogs: DIALOGS of them from one sender to one receiver, one after the other, each of PACKETS packets of
 * which at most WINDOW are without acknowledgement. Networks hold up to two packets and two acknowledgements and hand
 * them out in any order. With -DLOSSY they lose two of them, in all; a packet that is not acknowledged is sent again,
 * twice too early, and else when nothing is under way any more. Grants are no part of it.
 *
 * Held: packets are handed on once and in order, there is always a buffer for one that comes, the receiver has all of a
 * dialog when the sender thinks so, a packet is sent again in vain only so often, and all dialogs come to their end.
 * Faults: 1 one packet more than the window is sent; 2 a packet of an old dialog is taken for one of the new; 3 one that
 * has been handed on is not acknowledged again; 4 an old acknowledgement counts for the new dialog.
 * -DWALK: many longer dialogs, each with losses of its own; prints what is done: 0 a dialog's first packet is sent,
 * 1 another, 2 one again, 3 an acknowledgement is heard, 4 one is sent, 5 a packet is taken, 6 one is handed on; its dialog
 * and sequence; and then, of the sender, dialog, packets sent and acknowledged, of the receiver whether it has one to hand
 * on or owes an acknowledgement, for units to be compared with (replay_test.cpp). */
#ifndef FAULT
#define FAULT 0
#endif
#ifndef WINDOW
#define WINDOW 2
#endif
#define ACK_EVERY (WINDOW / 2)
#ifdef WALK
#define PACKETS 6
#define DIALOGS 250
#define SHOW(what, of, number) \
  printf("walk does %d of %d number %d sender %d %d %d receiver %d %d\n", what, of, number, dialog, sent, acknowledged, \
         held[0], owes)
#define BEGIN losses = 0; early = 0; tries = 0
#define MAY_REPEAT (sent == PACKETS || sent == acknowledged + REACH) /* else a unit shows a new packet first */
#else
#define PACKETS 3
#define DIALOGS 3
#define SHOW(what, of, number) skip
#define BEGIN skip
#define MAY_REPEAT true
#endif
#if FAULT == 1
#define REACH (WINDOW + 1)
#else
#define REACH WINDOW
#endif

chan packets = [2] of { byte, byte }; /* dialog, sequence */
chan acks = [2] of { byte, byte };    /* dialog, the first sequence that is not acknowledged */
byte losses, tries, early;

byte dialog, sent, acknowledged; /* of the sender */
byte name, next, told;           /* of the receiver: next to be handed on, and what is acknowledged */
bool open;
bool held[WINDOW];               /* by place behind `next` */
byte belongs[WINDOW];                 /* whose it is */
byte again_name, again;          /* an acknowledgement that it owes once more */
bool owes;

inline shift() {
  byte k = 0;
  do
  :: k + 1 < WINDOW -> held[k] = held[k + 1]; belongs[k] = belongs[k + 1]; k++
  :: else -> break
  od;
  held[WINDOW - 1] = false; belongs[WINDOW - 1] = 0; k = 0
}

active proctype sender() {
  byte whose, upto;
  do
  /* the next dialog, which the receiver grants when it has none */
  :: atomic { dialog < DIALOGS && sent == 0 && !open && !owes ->
      open = true; name = dialog; next = 0; told = 0; sent = 1; packets!dialog, 0;
      BEGIN; SHOW(0, dialog, 0) }
  :: atomic { sent > 0 && sent < PACKETS && sent < acknowledged + REACH && nfull(packets) ->
      packets!dialog, sent; sent++; SHOW(1, dialog, sent - 1) }
  :: atomic { nempty(acks) ->
      if
      :: acks?whose, upto
      :: len(acks) == 2 -> acks?whose, upto; acks!whose, upto; acks?whose, upto /* the later one first */
      fi;
      if
#if FAULT == 4
      :: sent > 0 && upto > acknowledged ->
#else
      :: sent > 0 && whose == dialog && upto > acknowledged ->
#endif
        acknowledged = upto;
        if
        :: acknowledged == PACKETS ->
          assert(!open && next == PACKETS);
          dialog++; sent = 0; acknowledged = 0
        :: else
        fi
      :: else
      fi;
      SHOW(3, whose, upto); whose = 0; upto = 0 }
#ifdef LOSSY
  :: atomic { early < 2 && acknowledged < sent && MAY_REPEAT && nfull(packets) -> packets!dialog, acknowledged; early++;
      SHOW(2, dialog, acknowledged) }
  :: atomic { acknowledged < sent && (sent == PACKETS || sent == acknowledged + REACH) && empty(packets) &&
      empty(acks) && !owes && !held[0] ->
      packets!dialog, acknowledged; tries++; assert(tries <= 4 * losses); SHOW(2, dialog, acknowledged) }
  :: atomic { losses < 2 && nempty(packets) -> packets?_, _; losses++ }
  :: atomic { losses < 2 && nempty(acks) -> acks?_, _; losses++ }
#endif
  :: dialog == DIALOGS && empty(packets) && empty(acks) && !owes -> break
  od
}

active proctype receiver() {
  byte whose, sequence, place;
end:
  do
  :: atomic { owes && nfull(acks) -> acks!again_name, again; owes = false; SHOW(4, again_name, again);
      again_name = 0; again = 0 }
  :: atomic { held[0] && !owes -> /* the packet at the front is handed on */
      assert(open && belongs[0] == name);
      next++;
      shift();
      if
      :: next == PACKETS -> owes = true; again_name = name; again = next; open = false
      :: next < PACKETS && next - told >= ACK_EVERY -> owes = true; again_name = name; again = next; told = next
      :: else
      fi;
      SHOW(6, name, next - 1) }
  :: atomic { !held[0] && !owes && nempty(packets) ->
      if
      :: packets?whose, sequence
      :: len(packets) == 2 -> packets?whose, sequence; packets!whose, sequence; packets?whose, sequence
      fi;
      if
#if FAULT == 2
      :: open && sequence >= next ->
#else
      :: open && whose == name && sequence >= next ->
#endif
        place = sequence - next;
        assert(place < WINDOW); /* there is a buffer */
        held[place] = true; belongs[place] = whose
#if FAULT != 3
      :: open && whose == name && sequence < next -> owes = true; again_name = name; again = next
      :: !open || whose != name -> owes = true; again_name = whose; again = sequence + 1
#endif
      :: else
      fi;
      SHOW(5, whose, sequence); whose = 0; sequence = 0; place = 0 }
  od
}
