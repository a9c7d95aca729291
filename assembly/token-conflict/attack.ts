/** Attacks on cities: what is left after the conflicts takes the city or is lost. */
import { Column } from '../core/column';
import { Scenario } from '../core/kernel';
import { Area, Head } from '../generated/token-conflict';
import { Board, cards, hand, stock, tokens, treasury } from './board';

export class Attack {
  /** The contingent that stands before the city, or -1. */
  static attackers(area: Area): i32 {
    for (let c = area.first; c < area.end; c++) {
      if (c !== area.owner && Column.get(tokens, c) > 0) return c;
    }
    return -1;
  }

  @inline static owner(area: Area): i32 {
    return Board.contingent(area.owner).player;
  }

  /** The city becomes tokens of its owner. */
  static raze(area: Area, becomes: i32): void {
    const owner = Attack.owner(area);
    const raised = area.pirate ? becomes : min(becomes, Column.get(stock, owner));
    Column.add(tokens, area.owner, raised);
    if (!area.pirate) Column.add(stock, owner, -raised);
  }

  /** Attacks a city; returns the contingent that has taken it, or -1 if it stands. */
  static make(area: Area): i32 {
    const c = Attack.attackers(area);
    if (c < 0) return -1;
    const attackers = Board.contingent(c);
    const count = Column.get(tokens, c);
    if (count < attackers.need) {
      Board.remove(c, count);
      return -1;
    }
    Attack.raze(area, attackers.becomes);
    return c;
  }

  /** Barbarians of a fallen pirate city leave if they do not stay. */
  @inline static disperse(area: Area): void {
    if (area.pirate && Scenario.word(Head.removesPirates)) Column.set(tokens, area.owner, 0);
  }

  @inline static hasCard(area: Area): bool {
    return !area.pirate && Column.get(hand, Attack.owner(area)) > 0;
  }

  @inline static drawCard(area: Area, attacker: i32): void {
    Column.add(hand, Attack.owner(area), -1);
    Column.add(hand, attacker, 1);
    Column.add(cards, attacker, 1);
  }

  /** Tokens that a victor can move to the treasury. */
  @inline static gain(attacker: i32): i32 {
    return min(Scenario.word(Head.treasury), Column.get(stock, attacker));
  }

  @inline static fillTreasury(attacker: i32): void {
    const taken = Attack.gain(attacker);
    Column.add(stock, attacker, -taken);
    Column.add(treasury, attacker, taken);
  }

  /** What a player gets for a city by the scenario's policies. */
  static reward(area: Area, attacker: i32): void {
    const victor = Board.player(attacker);
    if (victor.barbarian) return;
    if (victor.takesCard && Attack.hasCard(area)) Attack.drawCard(area, attacker);
    if (victor.takesTreasury) Attack.fillTreasury(attacker);
  }
}
