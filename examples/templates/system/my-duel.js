import { d, defineSystem, integer, z } from 'warpool/system';

const side = z.strictObject({
  lives: integer(1, 20, 'Lives at the beginning.').default(5),
  skill: integer(0, 5, 'Added to every roll.').default(0),
});

export default defineSystem({
  id: 'my-duel',
  title: 'My duel',
  about: 'Each round both roll a d6 and add their skill; the lower total loses a life.',
  fields: { attacker: side, defender: side },
  rules: {
    rolls: ({ attack, defence }) => `The attacker has ${attack}, the defender ${defence}.`,
    hit: ({ side, left }) => `The ${side} is hit and has ${left} left.`,
  },
  examples: { even: { attacker: {}, defender: {} } },
  battle: ({ attacker, defender }) => ({
    outcomes: ['attacker', 'defender'],
    metrics: {
      'lives.attacker': { min: 0, max: attacker.lives, of: (lives) => lives.attacker },
      'lives.defender': { min: 0, max: defender.lives, of: (lives) => lives.defender },
    },
    streams: { attack: 1, defence: 1 },
    start: () => ({ attacker: attacker.lives, defender: defender.lives }),
    round(lives, chance) {
      const attack = chance.at('attack').sample(d(6)) + attacker.skill;
      const defence = chance.at('defence').sample(d(6)) + defender.skill;
      chance.rule('rolls', () => ({ attack, defence }));
      if (attack === defence) return lives;
      const loser = attack > defence ? 'defender' : 'attacker';
      chance.rule('hit', () => ({ side: loser, left: lives[loser] - 1 }));
      return { ...lives, [loser]: lives[loser] - 1 };
    },
    outcome(lives) {
      if (lives.defender === 0) return 'attacker';
      return lives.attacker === 0 ? 'defender' : undefined;
    },
  }),
});
