/**
 * Dice with symbols: two units fire in turn. Symbols hit the target, and each flag makes it retreat one hex. The
 * reference page is docs/reference/games/symbol-dice.md.
 */
import { defineSystem, integer, oneOf, z } from 'warpool/system';

/** Symbols on the faces 1 to 6 of a die. */
const FACES = ['infantry', 'infantry', 'armour', 'grenade', 'flag', 'star'];
/** `dice` by distance, from 1 hex; `moves`: maximum hexes per turn. Artillery cannot advance and fire in one turn. */
const KINDS = {
  infantry: { dice: [3, 2, 1], moves: 1 },
  armour: { dice: [3, 3, 3], moves: 3 },
  artillery: { dice: [3, 3, 2, 2, 1, 1], moves: 1 },
};
/** Dice that each kind loses when it fires at a unit in the terrain, and flags that this unit ignores per attack. */
const TERRAIN = {
  open: { infantry: 0, armour: 0, artillery: 0, ignores: 0 },
  hill: { infantry: 1, armour: 1, artillery: 0, ignores: 0 },
  woods: { infantry: 1, armour: 2, artillery: 0, ignores: 0 },
  town: { infantry: 1, armour: 2, artillery: 0, ignores: 0 },
  sandbags: { infantry: 1, armour: 1, artillery: 0, ignores: 1 },
  bunker: { infantry: 1, armour: 2, artillery: 0, ignores: 1 },
};
const ORDERS = ['fire', 'advance', 'back', 'hold'];

const unit = z.strictObject({
  kind: oneOf(['infantry', 'armour', 'artillery'], 'Which symbol hits it, its dice and its moves.').default('infantry'),
  figures: integer(1, 6, 'Figures, one for each hit.').default(4),
  terrain: oneOf(
    ['open', 'hill', 'woods', 'town', 'sandbags', 'bunker'],
    'Where it stands until it leaves it.',
  ).default('open'),
  ignores: integer(0, 4, 'Flags that it need not heed beside those of its terrain, such as 1 with support.').default(0),
  room: integer(0, 6, 'Hexes behind it; for each flag without one it loses a figure.').default(3),
  extra: integer(-2, 2, 'Dice more or fewer whenever it fires.').default(0),
  policy: oneOf(
    ['fire', 'close', 'hold'],
    'fire: from where it stands, if it can. close: advances to the next hex first. hold: does nothing.',
  ).default('fire'),
  backAt: integer(0, 6, 'With so many figures or fewer it moves out of its own range, and holds there.').default(0),
});

const other = (side) => (side === 'attacker' ? 'defender' : 'attacker');
const many = (n, what, plural) => `${n} ${n === 1 ? what : plural}`;

/**
 * Creates the two phases of a side's turn: its order, then its dice. State: `figures`, `room` (hexes behind the unit)
 * and `covered` (true if the terrain still applies) by side; `distance` in hexes; `dice` to roll in the second phase.
 */
const turn = (side, scenario) => {
  const enemy = other(side);
  const { [side]: own, [enemy]: target, star } = scenario;
  const { dice, moves } = KINDS[own.kind];
  const diceOf = ({ distance, covered }) => {
    const base = dice[distance - 1] ?? 0;
    return base === 0 ? 0 : Math.max(0, base + own.extra - (covered[enemy] ? TERRAIN[target.terrain][own.kind] : 0));
  };
  const hit = [target.kind, 'grenade', ...(star === 'hit' || star === target.kind ? ['star'] : [])];
  /** Moves a unit toward the enemy, or away if `hexes` is negative. A unit that moves leaves its terrain. */
  const moved = (state, who, hexes) => ({
    ...state,
    distance: state.distance - hexes,
    room: { ...state.room, [who]: state.room[who] + hexes },
    covered: { ...state.covered, [who]: state.covered[who] && hexes === 0 },
  });
  return [
    (state, chance) => {
      const can = { fire: diceOf(state) > 0, advance: state.distance > 1, back: state.room[side] > 0, hold: true };
      const policy = () => {
        if (state.figures[side] <= own.backAt && (can.back || !can.fire)) return can.fire ? 'back' : 'hold';
        if (own.policy === 'hold') return 'hold';
        if (can.advance && (own.policy === 'close' || !can.fire)) return 'advance';
        return can.fire ? 'fire' : 'hold';
      };
      const options = ORDERS.filter((each) => can[each]);
      const order = chance.decide('order', side, options, policy);
      const forward = order === 'advance' ? Math.min(moves, state.distance - 1) : 0;
      const hexes = order === 'back' ? -Math.min(moves, state.room[side]) : forward;
      const next = moved(state, side, hexes);
      const fires = order === 'fire' || (order === 'advance' && own.kind !== 'artillery');
      if (hexes !== 0) chance.rule('moves', () => ({ side, order, distance: next.distance }));
      return { ...next, dice: fires ? diceOf(next) : 0 };
    },
    (state, chance) => {
      if (state.dice === 0) return state;
      const rolled = chance.at(side).roll(state.dice, 6);
      const faces = rolled.map((face) => FACES[face - 1]);
      const hits = Math.min(state.figures[enemy], faces.filter((face) => hit.includes(face)).length);
      const ignored = target.ignores + (state.covered[enemy] ? TERRAIN[target.terrain].ignores : 0);
      const flags = Math.max(0, faces.filter((face) => face === 'flag').length - ignored);
      const left = state.figures[enemy] - hits;
      const back = left === 0 ? 0 : Math.min(flags, state.room[enemy]);
      const pinned = left === 0 ? 0 : Math.min(left, flags - back);
      chance.rule('fires', () => ({ side, enemy, faces: faces.join(', '), hits }));
      if (back + pinned > 0) chance.rule('flees', () => ({ enemy, back, pinned }));
      const next = moved(state, enemy, -back);
      return { ...next, dice: 0, figures: { ...state.figures, [enemy]: left - pinned } };
    },
  ];
};

export default defineSystem({
  id: 'symbol-dice',
  title: 'Dice with symbols',
  about: 'Dice hit by the symbol of the target or a grenade; each flag makes it retreat a hex, or lose a figure.',
  fields: {
    attacker: unit,
    defender: unit,
    distance: integer(1, 6, 'Hexes from one unit to the other; 1: adjacent.').default(1),
    star: oneOf(
      ['nothing', 'hit', 'artillery'],
      'What a star hits: nothing, whatever is fired at, or artillery.',
    ).default('nothing'),
  },
  check: ({ attacker, defender }, reject) => {
    for (const [side, { figures, backAt }] of Object.entries({ attacker, defender }))
      if (backAt >= figures) reject([side, 'backAt'], `less than figures, ${figures}`, String(backAt));
    if (attacker.policy === 'hold' && defender.policy === 'hold')
      reject(['attacker', 'policy'], 'fire or close against a unit that holds', 'hold');
  },
  decisions: [
    {
      point: 'order',
      who: 'both',
      about: 'Every turn: fires, advances (and fires, unless artillery), moves back, or holds.',
      policies: ['fire', 'close', 'hold', 'backAt'],
      describe: {
        fire: ['fires', 'fire'],
        advance: ['advances', 'advance'],
        back: ['moves back', 'move back'],
        hold: ['holds', 'hold'],
      },
    },
  ],
  rules: {
    moves: ({ side, order, distance }) =>
      `The ${side} ${order === 'back' ? 'moves back' : 'advances'}: ${many(distance, 'hex', 'hexes')} away.`,
    fires: ({ side, enemy, faces, hits }) =>
      `The ${side} rolls ${faces}: the ${enemy} loses ${many(hits, 'figure', 'figures')}.`,
    flees: ({ enemy, back, pinned }) =>
      `The ${enemy} retreats ${many(back, 'hex', 'hexes')}${pinned === 0 ? '' : ` and loses ${many(pinned, 'figure', 'figures')} for want of room`}.`,
  },
  examples: {
    assault: {
      attacker: { policy: 'close' },
      defender: { kind: 'armour', figures: 3, terrain: 'bunker' },
      distance: 2,
    },
    battery: {
      attacker: { kind: 'artillery', figures: 2, backAt: 1, room: 1 },
      defender: { room: 0 },
      distance: 5,
      star: 'hit',
    },
  },
  battle: (scenario) => {
    const { attacker, defender, distance } = scenario;
    const length = distance + attacker.room + defender.room;
    return {
      outcomes: ['attacker', 'defender'],
      atRoundLimit: 'undecided',
      metrics: {
        'figures.attacker': { min: 0, max: attacker.figures, of: ({ figures }) => figures.attacker },
        'figures.defender': { min: 0, max: defender.figures, of: ({ figures }) => figures.defender },
        distance: { min: 1, max: length, of: (state) => state.distance },
      },
      streams: { attacker: 1, defender: 1 },
      start: () => ({
        figures: { attacker: attacker.figures, defender: defender.figures },
        room: { attacker: attacker.room, defender: defender.room },
        covered: { attacker: attacker.terrain !== 'open', defender: defender.terrain !== 'open' },
        ...{ distance, dice: 0 },
      }),
      round: [...turn('attacker', scenario), ...turn('defender', scenario)],
      outcome: ({ figures }) => (figures.defender === 0 ? 'attacker' : figures.attacker === 0 ? 'defender' : undefined),
    };
  },
  environment: ({ attacker, defender, distance }) => ({
    players: ['attacker', 'defender'],
    actions: { order: ORDERS },
    features: ['attacker', 'defender']
      .flatMap((side) => [
        { name: `figures.${side}`, unit: 'figures', high: 6, of: ({ figures }) => figures[side] },
        {
          name: `room.${side}`,
          unit: 'hexes',
          high: distance + attacker.room + defender.room,
          of: ({ room }) => room[side],
        },
        { name: `covered.${side}`, high: 1, of: ({ covered }) => Number(covered[side]) },
      ])
      .concat({
        name: 'distance',
        unit: 'hexes',
        high: distance + attacker.room + defender.room,
        of: (state) => state.distance,
      }),
  }),
});
