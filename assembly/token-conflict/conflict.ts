/** Conflicts over areas: rounds in which everyone gives up one token, the weaker before the stronger. */
import { Column } from '../core/column';
import { Area, Head } from '../generated/token-conflict';
import { Row } from '../rollout/row';
import { adjacent, Board, ranks, ships, spent, stock, tokens } from './board';

/** More than any number of tokens: who holds Metalworking comes after everybody else. */
const LAST: i32 = 1000000;

export class Conflict {
  static isContested(area: Area, city: bool): bool {
    let present = 0;
    let total = 0;
    const column = tokens;
    for (let c = area.first, end = area.end; c < end; c++) {
      const count = Column.get(column, c);
      present += i32(count > 0);
      total += count;
    }
    return present > 1 && (city || total > area.limit);
  }

  /** Ships and adjacent tokens of a contingent. */
  @inline static pool(c: i32): i32 {
    return Column.get(ships, c) + Column.get(adjacent, c);
  }

  /** Whether the scenario's policy gives up a part of the pool, where there is one. */
  @inline static sparesToken(c: i32): bool {
    return Board.contingent(c).poolFirst !== 0 || Column.get(tokens, c) === 1;
  }

  /** Spends a ship or, without one, an adjacent token. */
  static spend(c: i32): void {
    const player = Board.contingent(c).player;
    Column.add(spent, player, 1);
    if (Column.get(ships, c) > 0) Column.add(ships, c, -1);
    else {
      Column.add(adjacent, c, -1);
      Column.add(stock, player, 1);
    }
  }

  /** One loss: a ship, an adjacent token or a token of the area. */
  static giveUp(c: i32): void {
    if (Conflict.pool(c) > 0 && Conflict.sparesToken(c)) Conflict.spend(c);
    else Board.remove(c, 1);
  }

  /** The least rank above `rank` in an area, or 0. */
  static following(area: Area, rank: i32): i32 {
    let next = 0;
    const column = ranks;
    for (let k = 0, n = area.end - area.first; k < n; k++) {
      const each = Column.get(column, k);
      if (each > rank && (next === 0 || each < next)) next = each;
    }
    return next;
  }

  /** A round begins: gives each contingent its rank, 0 without tokens. */
  @inline static rank(area: Area): void {
    Board.progress().rounds++;
    const column = ranks;
    const first = area.first;
    for (let k = 0, n = area.end - first; k < n; k++) {
      const count = Column.get(tokens, first + k);
      const last = Board.contingent(first + k).metalworking ? LAST : 0;
      Column.set(column, k, count > 0 ? count + last : 0);
    }
  }

  @inline static clearRanks(): void {
    Row.clear(ranks, Board.columns(1, Head.players));
  }

  static round(area: Area, city: bool): void {
    Conflict.rank(area);
    let rank = Conflict.following(area, 0);
    const column = ranks;
    const first = area.first;
    const length = area.end - first;
    while (rank > 0) {
      for (let k = 0; k < length; k++) {
        if (Column.get(column, k) === rank) Conflict.giveUp(first + k);
      }
      if (!Conflict.isContested(area, city)) return;
      rank = Conflict.following(area, rank);
    }
  }

  /** Fights to the end, everyone following the scenario's policy. */
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
}
