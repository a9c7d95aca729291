/** Token conflict; twin of src/systems/token-conflict/, whose encode.ts lays the scenario out. */
import { Chance } from '../core/chance';
import { Column } from '../core/column';
import { Scenario } from '../core/kernel';
import { Stream } from '../core/stream';
import { Tally } from '../core/tally';

export { clear, configure, reserve, scenarioAddress, tallyAddress, valuesAddress } from '../core/kernel';

/** As many players, and players in areas, as a scenario can have. */
const PLAYERS_MAX: i32 = 64;
const CONTINGENTS_MAX: i32 = 1024;

/** Tokens that a victor moves to his treasury at most. */
const TREASURY_GAIN: i32 = 3;

/** More than any number of tokens: who holds Metalworking comes after everybody else. */
const LAST: i32 = 1000000;

/** Words of the head; draws lie behind them. */
const PLAYERS: usize = 0;
const AREAS: usize = 1;
const CONTINGENTS: usize = 2;
const DRAWS: usize = 3;
const ATTACKS: usize = 4;
const REMOVES_PIRATES: usize = 5;
const PLAYER_TABLE: usize = 6;
const CONTINGENT_TABLE: usize = 7;
const AREA_TABLE: usize = 8;
const ATTACK_LIST: usize = 9;
const TOKENS: usize = 10;
const SHIPS: usize = 11;
const ADJACENT: usize = 12;
const DRAW_TABLE: usize = 13;
const DRAW_WORDS: usize = 4;

@unmanaged
class Player {
  stock: i32;
  hand: i32;
  barbarian: i32;
  takesCard: i32;
  takesTreasury: i32;
}

@unmanaged
class Contingent {
  player: i32;
  metalworking: i32;
  poolFirst: i32;
  need: i32;
  becomes: i32;
  /** What it adds to the outcome if it alone is left in an area without a city. */
  result: i32;
}

@unmanaged
class Area {
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

/** By contingent. */
const tokens: usize = memory.data(CONTINGENTS_MAX * 4);
const ships: usize = memory.data(CONTINGENTS_MAX * 4);
const adjacent: usize = memory.data(CONTINGENTS_MAX * 4);

/** Where each contingent of an area comes in the order of a round; 0 without tokens. */
const ranks: usize = memory.data(CONTINGENTS_MAX * 4);

/** By player. */
const BOOK: usize = PLAYERS_MAX * 4;
/** That of barbarians grows and is never looked at. */
const stock: usize = memory.data(PLAYERS_MAX * 4);
const hand: usize = memory.data(PLAYERS_MAX * 4);
/** What is reported of each player, in the order of the metrics. */
const books: usize = memory.data(5 * PLAYERS_MAX * 4);
const LEFT: usize = books;
const LOST: usize = books + BOOK;
const SPENT: usize = books + 2 * BOOK;
const CARDS: usize = books + 3 * BOOK;
const TREASURY: usize = books + 4 * BOOK;

let rounds: i32 = 0;
let outcome: i32 = 0;

class Board {
  @inline static player(index: i32): Player {
    return changetype<Player>(Scenario.table(PLAYER_TABLE) + <usize>index * offsetof<Player>());
  }

  @inline static contingent(index: i32): Contingent {
    return changetype<Contingent>(Scenario.table(CONTINGENT_TABLE) + <usize>index * offsetof<Contingent>());
  }

  @inline static area(index: i32): Area {
    return changetype<Area>(Scenario.table(AREA_TABLE) + <usize>index * offsetof<Area>());
  }

  @inline static copy(column: usize, table: usize): void {
    memory.copy(column, Scenario.table(table), (<usize>Scenario.word(CONTINGENTS)) << 2);
  }

  static muster(): void {
    Board.copy(tokens, TOKENS);
    Board.copy(ships, SHIPS);
    Board.copy(adjacent, ADJACENT);
    for (let p = 0, n = Scenario.word(PLAYERS); p < n; p++) {
      Column.set(stock, p, Board.player(p).stock);
      Column.set(hand, p, Board.player(p).hand);
    }
    memory.fill(books, 0, 5 * BOOK);
    for (let d = 0, n = Scenario.word(DRAWS); d < n; d++) Board.draw(DRAW_TABLE + <usize>d * DRAW_WORDS);
    rounds = 0;
    outcome = 0;
  }

  /** Draws the count that the head describes at `at`. */
  @inline static draw(at: usize): void {
    const k = Chance.quantile(Scenario.table(at + 2), Stream.word(Scenario.word(at + 1)));
    Column.set(tokens, Scenario.word(at), Column.get(Scenario.table(at + 3), k));
  }

  @inline static remove(contingent: i32, count: i32): void {
    const player = Board.contingent(contingent).player;
    Column.add(tokens, contingent, -count);
    Column.add(LOST, player, count);
    Column.add(stock, player, count);
  }

  static report(): void {
    for (let c = 0, n = Scenario.word(CONTINGENTS); c < n; c++) {
      Column.add(LEFT, Board.contingent(c).player, Column.get(tokens, c));
    }
    Tally.set(0, rounds);
    const players = Scenario.word(PLAYERS);
    for (let b: usize = 0; b < 5; b++) {
      const first = 1 + <i32>b * players;
      for (let p = 0; p < players; p++) Tally.set(first + p, Column.get(books + b * BOOK, p));
    }
  }
}

class Conflict {
  static isContested(area: Area, city: bool): bool {
    let present = 0;
    let total = 0;
    for (let c = area.first; c < area.end; c++) {
      const count = Column.get(tokens, c);
      present += i32(count > 0);
      total += count;
    }
    return present > 1 && (city || total > area.limit);
  }

  /** One loss: a ship, an adjacent token or a token of the area. */
  static giveUp(c: i32): void {
    const contingent = Board.contingent(c);
    const afloat = Column.get(ships, c);
    const near = Column.get(adjacent, c);
    if (afloat + near === 0 || !(contingent.poolFirst || Column.get(tokens, c) === 1)) {
      Board.remove(c, 1);
      return;
    }
    Column.add(SPENT, contingent.player, 1);
    if (afloat > 0) Column.add(ships, c, -1);
    else {
      Column.add(adjacent, c, -1);
      Column.add(stock, contingent.player, 1);
    }
  }

  /** The least rank above `rank` in an area, or 0. */
  static following(area: Area, rank: i32): i32 {
    let next = 0;
    for (let c = area.first; c < area.end; c++) {
      const each = Column.get(ranks, c);
      if (each > rank && (next === 0 || each < next)) next = each;
    }
    return next;
  }

  static round(area: Area, city: bool): void {
    rounds++;
    for (let c = area.first; c < area.end; c++) {
      const count = Column.get(tokens, c);
      const last = Board.contingent(c).metalworking ? LAST : 0;
      Column.set(ranks, c, count > 0 ? count + last : 0);
    }
    let rank = Conflict.following(area, 0);
    while (rank > 0) {
      for (let c = area.first; c < area.end; c++) {
        if (Column.get(ranks, c) === rank) Conflict.giveUp(c);
      }
      if (!Conflict.isContested(area, city)) return;
      rank = Conflict.following(area, rank);
    }
  }

  static fight(area: Area, city: bool): void {
    while (Conflict.isContested(area, city)) Conflict.round(area, city);
  }

  /** What an area without a city adds to the outcome. */
  static result(area: Area): i32 {
    let present = 0;
    let result = area.otherResult;
    for (let c = area.first; c < area.end; c++) {
      if (Column.get(tokens, c) === 0) continue;
      present++;
      result = Board.contingent(c).result;
    }
    return present > 1 ? area.result : result;
  }

  static settle(area: Area): void {
    Conflict.fight(area, area.owner >= 0);
    if (area.owner < 0) outcome += Conflict.result(area);
  }
}

class Attack {
  /** The contingent that stands before the city, or -1. */
  static attackers(area: Area): i32 {
    for (let c = area.first; c < area.end; c++) {
      if (c !== area.owner && Column.get(tokens, c) > 0) return c;
    }
    return -1;
  }

  /** The city becomes tokens of its owner. */
  static raze(area: Area, becomes: i32): void {
    const owner = Board.contingent(area.owner).player;
    const raised = area.pirate ? becomes : min(becomes, Column.get(stock, owner));
    Column.add(tokens, area.owner, raised);
    if (!area.pirate) Column.add(stock, owner, -raised);
  }

  static reward(area: Area, attacker: i32): void {
    const victor = Board.player(attacker);
    if (victor.barbarian) return;
    const defender = Board.contingent(area.owner).player;
    if (!area.pirate && Column.get(hand, defender) > 0 && victor.takesCard) {
      Column.add(hand, defender, -1);
      Column.add(hand, attacker, 1);
      Column.add(CARDS, attacker, 1);
    }
    if (!victor.takesTreasury) return;
    const taken = min(TREASURY_GAIN, Column.get(stock, attacker));
    Column.add(stock, attacker, -taken);
    Column.add(TREASURY, attacker, taken);
  }

  static on(area: Area): void {
    const c = Attack.attackers(area);
    const attackers = Board.contingent(c);
    if (c < 0 || Column.get(tokens, c) < attackers.need) {
      if (c >= 0) Board.remove(c, Column.get(tokens, c));
      outcome += area.otherResult;
      return;
    }
    Attack.raze(area, attackers.becomes);
    Conflict.fight(area, false);
    if (area.pirate && Scenario.word(REMOVES_PIRATES)) Column.set(tokens, area.owner, 0);
    Attack.reward(area, attackers.player);
    outcome += area.result;
  }
}

function battle(runKey: u64, index: u64): i32 {
  Stream.open(runKey, index);
  Board.muster();
  for (let a = 0, n = Scenario.word(AREAS); a < n; a++) Conflict.settle(Board.area(a));
  for (let a = 0, n = Scenario.word(ATTACKS); a < n; a++) {
    Attack.on(Board.area(Column.get(Scenario.table(ATTACK_LIST), a)));
  }
  Board.report();
  return outcome;
}

/** Plays one battle: returns its outcome and leaves its metrics in `valuesAddress`. */
export function play(runKey: u64, index: u64): i32 {
  return battle(runKey, index);
}

/** Plays and counts battles from..from + count - 1. */
export function run(runKey: u64, from: u64, count: u32): void {
  for (let i: u32 = 0; i < count; i++) Tally.add(battle(runKey, from + i));
}
