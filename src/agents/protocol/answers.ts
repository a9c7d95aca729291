/** What the requests of the rollout protocol do: docs/rollout-protocol.md. */
import { InputError } from '../../core/errors.ts';
import { POLICIES, type Policy } from '../policies.ts';
import type { VectorEnv } from '../vector-env.ts';
import { FLAGS, type RequestName } from './frames.ts';
import type { Offer } from './offer.ts';
import type { Sight } from './sight.ts';

/** The most actions of one ROLLOUT: other clients and signals wait meanwhile. */
const ACTIONS_MAX = 2 ** 24;

/** The environments of a client, and what it sees of them. */
export interface OpenedEnvironments {
  readonly env: VectorEnv;
  readonly sight: Sight;
}

/** What of a frame tells what to do. */
interface Asked {
  readonly flags: number;
  readonly payload: Uint8Array;
}

/** Pieces of a payload, one after the other. */
export type PayloadParts = readonly Uint8Array[];

const viewOf = ({ buffer, byteOffset, byteLength }: Uint8Array) => new DataView(buffer, byteOffset, byteLength);

const bytesOf = ({ buffer, byteOffset, byteLength }: NodeJS.TypedArray) =>
  new Uint8Array(buffer, byteOffset, byteLength);

function checkLength(name: RequestName, payload: Uint8Array, bytes: number): void {
  if (payload.length === bytes) return;
  throw new InputError(name.toUpperCase(), `${String(bytes)} bytes`, String(payload.length));
}

/** A u32 of a payload within bounds. */
function numberAt(place: string, payload: Uint8Array, at: number, min: number, max: number): number {
  const value = viewOf(payload).getUint32(at, true);
  if (value >= min && value <= max) return value;
  throw new InputError(place, `an integer ${String(min)}..${String(max)}`, String(value));
}

function policyAt(name: RequestName, payload: Uint8Array): Policy {
  return POLICIES[numberAt(`${name.toUpperCase()} policy`, payload, 0, 0, POLICIES.length - 1)] ?? 'scenario';
}

/** What each request does, but HELLO and CLOSE; gives the parts of the reply. */
type Answer = (opened: OpenedEnvironments, asked: Asked, offer: Offer) => PayloadParts;

/** What each request does with environments that are open; the parts of the reply, views of their memory among them. */
export const ANSWERS: Readonly<Record<Exclude<RequestName, 'hello' | 'close'>, Answer>> = {
  reset({ env, sight }, { flags, payload }) {
    const { seed, mask } = FLAGS.reset;
    if (flags === (seed | mask)) throw new InputError('RESET flags', 'a seed or a mask', 'both');
    checkLength('reset', payload, flags === seed ? 8 : flags === mask ? env.numEnvs : 0);
    if (flags === mask) env.reset({ mask: payload });
    else env.reset(flags === seed ? { seed: viewOf(payload).getBigUint64(0, true) } : {});
    return sight.still();
  },
  step({ env, sight }, { payload }) {
    const { act } = env.fields;
    checkLength('step', payload, act.byteLength);
    bytesOf(act).set(payload);
    env.step();
    return sight.ofStep();
  },
  look({ sight }, { flags, payload }) {
    checkLength('look', payload, 0);
    return flags === FLAGS.look.all ? sight.withAll() : sight.still();
  },
  suggest({ env }, { payload }) {
    checkLength('suggest', payload, 4);
    env.suggest(policyAt('suggest', payload));
    return [bytesOf(env.fields.act)];
  },
  rollout({ env }, { payload }) {
    checkLength('rollout', payload, 12);
    const policy = policyAt('rollout', payload);
    const steps = numberAt('ROLLOUT steps', payload, 4, 1, Math.floor(ACTIONS_MAX / env.numEnvs));
    const episodes = viewOf(payload).getUint32(8, true);
    return [bytesOf(Uint32Array.of(env.rollout(policy, episodes === 0 ? { steps } : { steps, episodes }), 0))];
  },
  snapshot({ env }, { payload }, offer) {
    checkLength('snapshot', payload, 0);
    const snapshot = env.snapshot();
    return [offer.seal(snapshot), snapshot];
  },
  restore({ env }, { payload }, offer) {
    checkLength('restore', payload, offer.sealedBytes(env) ?? payload.length);
    env.restore(offer.unseal(payload));
    return [];
  },
  rekey({ env }, { payload }) {
    checkLength('rekey', payload, 16);
    const from = numberAt('REKEY from', payload, 8, 0, env.numEnvs);
    env.rekey(viewOf(payload).getBigUint64(0, true), from, numberAt('REKEY to', payload, 12, from, env.numEnvs));
    return [];
  },
};
