/**
 * What there is to solve in a mass battle, before anything is solved: the sets of the living that it can come to, whom
 * they hurt, and what a round of each costs.
 */
import { Column } from '../core/column';
import { workspace } from '../core/kernel';
import { Attacks } from './attacks';
import { Damages } from './damages';
import { Harm } from './harm';
import { Joint } from './joint';
import { BLOCK, Living, MOVING, Rows, Sets, UNREACHED } from './living';
import { Mass } from './mass';

/** As many combatants as sets have room for. */
const MEMBERS_MAX: i32 = 16;

/** As many bytes as mass and tables may take. */
const BYTES_MAX: f64 = 536870912.0;

/** What going to a row costs beside its blocks, and a way to fall beside its rows, in moves. */
const ROW_PRICE: f64 = 4.0;
const WAY_PRICE: f64 = 100.0;

/** Combinations of attack rolls of all sets. */
export let combinations: f64 = 0.0;

/** Bytes: in all, of the largest array, and of joint laws in the making. */
let bytes: f64 = 0.0;
let array: f64 = 0.0;
let drafts: f64 = 0.0;

export class Survey {
  /** States of the chain: hit points of all, 0 too. */
  static states(): f64 {
    let states = 1.0;
    for (let c = 0; c < Mass.count(); c++) states *= <f64>(Mass.unit(c).hp + 1);
    return states;
  }

  /** Looks at all sets that can be reached; false if they take more memory than they may. */
  static make(): bool {
    if (Mass.count() > MEMBERS_MAX || !Harm.room() || !Attacks.room() || !Sets.room()) return false;
    combinations = 0.0;
    bytes = 0.0;
    array = 0.0;
    drafts = 0.0;
    Sets.of(Sets.all()).outcome = MOVING;
    for (let set = Sets.all(); set > 0 && bytes <= BYTES_MAX; set--) {
      if (Sets.of(set).outcome !== UNREACHED) Survey.look(set);
    }
    if (Sets.of(0).outcome !== UNREACHED) Survey.look(0);
    return bytes + drafts + 2.0 * array <= BYTES_MAX;
  }

  static look(set: u32): void {
    const living = Sets.of(set);
    const size = Rows.bytes(set);
    bytes += size;
    Mass.summon(set);
    living.outcome = Mass.standoff();
    if (living.outcome !== MOVING) return;
    array = max(array, size);
    Harm.among(living.reaches);
    Survey.part(set, living);
    Survey.plan(living.victims, living.reaches);
    if (living.victimsToo !== 0) Survey.plan(living.victimsToo, living.reaches);
    living.price = Survey.price(set, living);
    const victims = living.victims | living.victimsToo;
    for (let fallen = victims; fallen !== 0; fallen = (fallen - 1) & victims) {
      Sets.of(set & ~fallen).outcome = MOVING;
    }
  }

  /** Finds the victims. Of two parties each is hurt by the other alone, so that their damages are independent. */
  static part(set: u32, living: Living): void {
    let victims: u32 = 0;
    for (let c = 0; c < Mass.count(); c++) if (Column.get(living.reaches, c) > 0) victims |= 1 << c;
    const first = Sets.party(set, Mass.unit(<i32>ctz(victims)).party);
    const rest = set & ~first;
    const isTwo = Sets.party(set, Mass.unit(<i32>ctz(rest)).party) === rest;
    living.victims = isTwo ? victims & first : victims;
    living.victimsToo = isTwo ? victims & rest : 0;
  }

  static plan(victims: u32, reaches: usize): void {
    combinations += Attacks.plan(victims, reaches);
    drafts = max(drafts, Attacks.bytes());
    bytes += Joint.bytes(victims, reaches);
  }

  /** Moves of a round. */
  static price(set: u32, living: Living): f64 {
    const last = Sets.last(set);
    let rows = 1.0;
    let rowsToo = 1.0;
    let ways = 1.0;
    for (let rest = set; rest !== 0; rest &= rest - 1) {
      const c = <i32>ctz(rest);
      const reach = <f64>Column.get(living.reaches, c);
      const hp = <f64>Mass.unit(c).hp;
      const apart = c === last ? Survey.row(hp, reach) : Survey.triangle(hp, reach) + reach;
      const whole = c === last ? Survey.row(hp, 0.0) : hp;
      rows *= Sets.has(living.victims, c) ? apart : whole;
      rowsToo *= Sets.has(living.victimsToo, c) ? apart : whole + 1.0;
      ways *= 2.0;
    }
    return ways * WAY_PRICE + rows + (living.victimsToo === 0 ? 0.0 : rowsToo);
  }

  /** Pairs of wounds before and after damages of 0 to `reach`. */
  static triangle(hp: f64, reach: f64): f64 {
    const most = min(reach + 1.0, hp);
    return 0.5 * most * (most + 1.0) + (hp - most) * most;
  }

  /** Blocks of all pairs of rows that lie along one member. */
  static row(hp: f64, reach: f64): f64 {
    let moves = 2.0 * ROW_PRICE;
    for (let at = 0.0; at < hp; at += <f64>BLOCK) moves += min(reach, at + <f64>(BLOCK - 1)) + 1.0;
    return moves + reach / <f64>BLOCK;
  }

  /** Takes memory for all that the survey has found; false if there is none. */
  static room(): bool {
    if (!Damages.room(<usize>drafts)) return false;
    for (let set: u32 = 0; set <= Sets.all(); set++) {
      const living = Sets.of(set);
      if (living.outcome === UNREACHED) continue;
      living.rows = Rows.room(Rows.bytes(set));
      if (living.rows === 0) return false;
      Rows.clear(set, living.rows);
      if (living.outcome !== MOVING) continue;
      living.table = workspace(<usize>Joint.bytes(living.victims, living.reaches));
      living.tableToo = workspace(<usize>Joint.bytes(living.victimsToo, living.reaches));
      if (living.tableToo === 0) return false;
    }
    return true;
  }

  /** Takes memory for the mass of any set that moves; 0 if there is none. */
  static spare(): usize {
    return Rows.room(array);
  }
}
