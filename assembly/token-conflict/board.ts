/**
 * The words of a battle and the tables of its scenario, which src/systems/token-conflict/encode.ts lays out;
 * src/systems/token-conflict/record.ts reads the words.
 */
import { Chance } from '../core/chance';
import { Column } from '../core/column';
import { Scenario } from '../core/kernel';
import { Stream } from '../core/stream';
import { Tally, values } from '../core/tally';
import { Row } from '../rollout/row';

/** Words of the head; draws lie behind them. */
export const PLAYERS: usize = 0;
export const AREAS: usize = 1;
export const CONTINGENTS: usize = 2;
const DRAWS: usize = 3;
export const ATTACKS: usize = 4;
export const REMOVES_PIRATES: usize = 5;
export const TREASURY_GAIN: usize = 6;
const PLAYER_TABLE: usize = 7;
const CONTINGENT_TABLE: usize = 8;
const AREA_TABLE: usize = 9;
const ATTACK_TABLE: usize = 10;
const START: usize = 11;
const DRAW_TABLE: usize = 12;
const DRAW_WORDS: usize = 4;

@unmanaged
export class Player {
  barbarian: i32;
  takesCard: i32;
  takesTreasury: i32;
  /** How the player orders its cities: 0 by preference, 1 the weakest attack first, -1 the strongest. */
  order: i32;
}

@unmanaged
export class Contingent {
  player: i32;
  metalworking: i32;
  poolFirst: i32;
  need: i32;
  becomes: i32;
  /** What it adds to the outcome if it alone is left in an area without a city. */
  result: i32;
}

@unmanaged
export class Area {
  first: i32;
  end: i32;
  limit: i32;
  /** The contingent of the city's owner, or -1. */
  owner: i32;
  pirate: i32;
  /** What is added to the outcome: several are left, or the city falls. */
  result: i32;
  /** Nobody is left, or the city stands. */
  otherResult: i32;
}

/** An attack in the order of the file, and what is done in its place of the order. */
@unmanaged
export class Siege {
  area: i32;
  /** The player whose city it is, or -1 for pirates. */
  owner: i32;
  preference: i32;
  /** The area that is attacked in this place, -1 if the battle tells. */
  next: i32;
  /** Whether the owner has a later place, and cities of others are attacked before it. */
  waits: i32;
}

/** What a battle has come to; columns follow. Only `rounds` counts where battles are played at one go. */
@unmanaged
export class Progress {
  /** The area whose conflict is fought; from the number of areas on, the attack. */
  task: i32;
  stage: i32;
  /** The contingent that has taken the city, else 0. */
  engaged: i32;
  rounds: i32;
  /** Counts that have been drawn. */
  drawn: i32;
  /** The rank of the group at hand in a round, else 0. */
  rank: i32;
  /** The first contingent of the area that may have yet to choose, else 0. */
  next: i32;
  /** The attack that is made, else 0. */
  attack: i32;
}

/** Where the columns of the battle at hand begin. Where each contingent of an area comes in the order of a round: */
export let ranks: usize = 0;
/** By player: lost, spent, cards, treasury, in the order of the metrics. */
let lost: usize = 0;
export let spent: usize = 0;
export let cards: usize = 0;
export let treasury: usize = 0;
/** By attack: 1 if the city has fallen; 1 from its turn on. */
export let fallen: usize = 0;
export let begun: usize = 0;
/** By contingent. */
export let tokens: usize = 0;
export let ships: usize = 0;
export let adjacent: usize = 0;
/** By player; that of barbarians grows and is never looked at. */
export let stock: usize = 0;
export let hand: usize = 0;

let battle: usize = 0;

/** Columns of a battle by player that begin empty, and those that begin with what the scenario says. */
const EMPTY_BY_PLAYER: usize = 5;
const FULL_BY_PLAYER: usize = 2;
const BY_ATTACK: usize = 2;
const BY_CONTINGENT: usize = 3;

export class Board {
  @inline static player(index: i32): Player {
    return changetype<Player>(Scenario.table(PLAYER_TABLE) + <usize>index * offsetof<Player>());
  }

  @inline static contingent(index: i32): Contingent {
    return changetype<Contingent>(Scenario.table(CONTINGENT_TABLE) + <usize>index * offsetof<Contingent>());
  }

  @inline static area(index: i32): Area {
    return changetype<Area>(Scenario.table(AREA_TABLE) + <usize>index * offsetof<Area>());
  }

  @inline static siege(attack: i32): Siege {
    return changetype<Siege>(Scenario.table(ATTACK_TABLE) + <usize>attack * offsetof<Siege>());
  }

  /** The area that is attacked in an attack. */
  @inline static besieged(attack: i32): Area {
    return Board.area(Board.siege(attack).area);
  }

  @inline static progress(): Progress {
    return changetype<Progress>(battle);
  }

  /** One of the words of the battle. */
  @inline static word(index: i32): i32 {
    return Column.get(battle, index);
  }

  /** Bytes of a number of columns. */
  @inline static columns(count: usize, length: usize): usize {
    return (count * <usize>Scenario.word(length)) << 2;
  }

  /** Bytes of the words of a battle. */
  static bytes(): i32 {
    const emptied = offsetof<Progress>() + Board.columns(EMPTY_BY_PLAYER, PLAYERS) + Board.columns(BY_ATTACK, ATTACKS);
    return <i32>(emptied + Board.columns(BY_CONTINGENT, CONTINGENTS) + Board.columns(FULL_BY_PLAYER, PLAYERS));
  }

  /** Makes the battle whose words lie at an address the one at hand. */
  static bind(at: usize): void {
    const byPlayer = Board.columns(1, PLAYERS);
    const byContingent = Board.columns(1, CONTINGENTS);
    const byAttack = Board.columns(1, ATTACKS);
    battle = at;
    ranks = at + offsetof<Progress>();
    lost = ranks + byPlayer;
    spent = lost + byPlayer;
    cards = spent + byPlayer;
    treasury = cards + byPlayer;
    fallen = treasury + byPlayer;
    begun = fallen + byAttack;
    tokens = begun + byAttack;
    ships = tokens + byContingent;
    adjacent = ships + byContingent;
    stock = adjacent + byContingent;
    hand = stock + byPlayer;
  }

  /** A battle before anything has happened; counts that are drawn are 0. */
  @inline static muster(): void {
    Row.clear(battle, tokens - battle);
    Row.copy(tokens, Scenario.table(START), hand - tokens + Board.columns(1, PLAYERS));
  }

  /** Draws the counts of contingents before `end`, from draw `from` on; returns the first that is left. */
  @inline static draw(from: i32, end: i32): i32 {
    const draws = Scenario.word(DRAWS);
    let d = from;
    for (; d < draws; d++) {
      const at = DRAW_TABLE + <usize>d * DRAW_WORDS;
      const contingent = Scenario.word(at);
      if (contingent >= end) break;
      const k = Chance.quantile(Scenario.table(at + 2), Stream.word(Scenario.word(at + 1)));
      Column.set(tokens, contingent, Column.get(Scenario.table(at + 3), k));
    }
    return d;
  }

  @inline static remove(contingent: i32, count: i32): void {
    const player = Board.contingent(contingent).player;
    Column.add(tokens, contingent, -count);
    Column.add(lost, player, count);
    Column.add(stock, player, count);
  }

  /** Leaves the metrics in the tally's values: rounds, then columns by player, tokens that are left first. */
  static report(): void {
    const row = Board.columns(1, PLAYERS);
    const left = values + 4;
    Tally.set(0, Board.progress().rounds);
    Row.clear(left, row);
    for (let c = 0, n = Scenario.word(CONTINGENTS); c < n; c++) {
      Column.add(left, Board.contingent(c).player, Column.get(tokens, c));
    }
    Row.copy(left + row, lost, 4 * row);
  }
}
