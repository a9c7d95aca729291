/**
 * Words of a battle and tables of its scenario, in the layout of src/rules/token-conflict/encode.ts;
 * src/rules/token-conflict/environment.ts reads the words.
 */
import { Chance } from '../core/chance';
import { Column } from '../core/column';
import { Counts, values } from '../core/counts';
import { Scenario } from '../core/kernel';
import { Stream } from '../core/stream';
import { Row } from '../environments/row';
import {
  Area,
  Contingent,
  DRAW_WORDS,
  Draw,
  HEAD_WORDS,
  Head,
  Metrics,
  Player,
  Progress,
  Siege,
} from '../generated/token-conflict';

/** Columns of the current battle. Rank of each contingent of an area in a round: */
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
/** By player; the stock of barbarians grows without effect. */
export let stock: usize = 0;
export let hand: usize = 0;

let battle: usize = 0;

/** Columns by player that start empty, and those that start with values of the scenario. */
const EMPTY_BY_PLAYER: usize = 5;
const FULL_BY_PLAYER: usize = 2;
const BY_ATTACK: usize = 2;
const BY_CONTINGENT: usize = 3;

export class Board {
  @inline static player(index: i32): Player {
    return changetype<Player>(Scenario.table(Head.playerTable) + <usize>index * offsetof<Player>());
  }

  @inline static contingent(index: i32): Contingent {
    return changetype<Contingent>(Scenario.table(Head.contingentTable) + <usize>index * offsetof<Contingent>());
  }

  @inline static area(index: i32): Area {
    return changetype<Area>(Scenario.table(Head.areaTable) + <usize>index * offsetof<Area>());
  }

  @inline static siege(attack: i32): Siege {
    return changetype<Siege>(Scenario.table(Head.attackTable) + <usize>attack * offsetof<Siege>());
  }

  /** The area that is attacked in an attack. */
  @inline static besieged(attack: i32): Area {
    return Board.area(Board.siege(attack).area);
  }

  @inline static progress(): Progress {
    return changetype<Progress>(battle);
  }

  /** Returns a word of the battle. */
  @inline static word(index: i32): i32 {
    return Column.get(battle, index);
  }

  /** Bytes of a number of columns. */
  @inline static columns(count: usize, length: usize): usize {
    return (count * <usize>Scenario.word(length)) << 2;
  }

  /** Returns the bytes of the words of a battle. */
  static bytes(): i32 {
    const emptied =
      offsetof<Progress>() + Board.columns(EMPTY_BY_PLAYER, Head.players) + Board.columns(BY_ATTACK, Head.attacks);
    return <i32>(
      (emptied + Board.columns(BY_CONTINGENT, Head.contingents) + Board.columns(FULL_BY_PLAYER, Head.players))
    );
  }

  /** Uses the battle with the words at an address as the current one. */
  static bind(at: usize): void {
    const byPlayer = Board.columns(1, Head.players);
    const byContingent = Board.columns(1, Head.contingents);
    const byAttack = Board.columns(1, Head.attacks);
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
    Row.copy(tokens, Scenario.table(Head.start), hand - tokens + Board.columns(1, Head.players));
  }

  /** Draws the counts of contingents before `end`, from draw `from` on; returns the first that is left. */
  @inline static draw(from: i32, end: i32): i32 {
    const draws = Scenario.word(Head.draws);
    let d = from;
    for (; d < draws; d++) {
      const at = HEAD_WORDS + <usize>d * DRAW_WORDS;
      const contingent = Scenario.word(at + Draw.contingent);
      if (contingent >= end) break;
      const k = Chance.quantile(Scenario.table(at + Draw.quantiles), Stream.word(Scenario.word(at + Draw.place)));
      Column.set(tokens, contingent, Column.get(Scenario.table(at + Draw.counts), k));
    }
    return d;
  }

  @inline static remove(contingent: i32, count: i32): void {
    const player = Board.contingent(contingent).player;
    Column.add(tokens, contingent, -count);
    Column.add(lost, player, count);
    Column.add(stock, player, count);
  }

  /** Leaves the metrics in the values of the counts: rounds, then columns by player, remaining tokens first. */
  static report(): void {
    const row = Board.columns(1, Head.players);
    const left = values + ((<usize>Metrics.left) << 2);
    Counts.set(Metrics.rounds, Board.progress().rounds);
    Row.clear(left, row);
    for (let c = 0, n = Scenario.word(Head.contingents); c < n; c++) {
      Column.add(left, Board.contingent(c).player, Column.get(tokens, c));
    }
    Row.copy(left + row, lost, 4 * row);
  }
}
