/** Request handlers of the environment protocol: docs/reference/environment-protocol.md. */
import type { Readable, Writable } from 'node:stream';
import { createConflictError, InputError, RunError } from '../../core/index.ts';
import { POLICIES, type Policy } from '../layout.ts';
import type { VectorEnv } from '../vector-env.ts';
import {
  ERROR,
  FLAGS,
  type Frame,
  type FrameHeader,
  FrameReader,
  HEADER_BYTES,
  LENGTH_LIMIT,
  REPLY,
  REQUESTS,
  type RequestName,
  writeHeader,
} from './frames.ts';
import { ObservationEncoder, type ServedEnvironments } from './served-environments.ts';

/** Maximum actions of one ROLLOUT, because other clients and signals wait for it. */
const ACTIONS_MAX = 2 ** 24;

/** Environments of a client, and the encoder of its replies. */
interface ClientEnvironments {
  readonly env: VectorEnv;
  readonly encoder: ObservationEncoder;
}

/** Fields of a frame that a handler needs. */
interface RequestBody {
  readonly flags: number;
  readonly payload: Uint8Array;
}

/** Parts of a payload, in order. */
type PayloadParts = readonly Uint8Array[];

const createDataView = ({ buffer, byteOffset, byteLength }: Uint8Array) => new DataView(buffer, byteOffset, byteLength);

const viewAsBytes = ({ buffer, byteOffset, byteLength }: NodeJS.TypedArray) =>
  new Uint8Array(buffer, byteOffset, byteLength);

function checkLength(name: RequestName, payload: Uint8Array, bytes: number): void {
  if (payload.length === bytes) return;
  throw new InputError(name.toUpperCase(), `${String(bytes)} bytes`, String(payload.length));
}

/** A u32 of a payload within bounds. */
function readNumber(place: string, payload: Uint8Array, at: number, min: number, max: number): number {
  const value = createDataView(payload).getUint32(at, true);
  if (value >= min && value <= max) return value;
  throw new InputError(place, `an integer ${String(min)}..${String(max)}`, String(value));
}

function readPolicy(name: RequestName, payload: Uint8Array): Policy {
  return POLICIES[readNumber(`${name.toUpperCase()} policy`, payload, 0, 0, POLICIES.length - 1)] ?? 'scenario';
}

/** Handles a request other than HELLO and CLOSE; returns the parts of the reply. */
type RequestHandler = (opened: ClientEnvironments, requested: RequestBody, offer: ServedEnvironments) => PayloadParts;

/** Handlers by request; parts of replies may be views of the environments' memory. */
const HANDLERS: Readonly<Record<Exclude<RequestName, 'hello' | 'close'>, RequestHandler>> = {
  reset({ env, encoder }, { flags, payload }) {
    const { seed, mask } = FLAGS.reset;
    if (flags === (seed | mask)) throw createConflictError('RESET: seed', 'mask');
    checkLength('reset', payload, flags === seed ? 8 : flags === mask ? env.numEnvs : 0);
    if (flags === mask) env.reset({ mask: payload });
    else env.reset(flags === seed ? { seed: createDataView(payload).getBigUint64(0, true) } : {});
    return encoder.encodeCurrent();
  },
  step({ env, encoder }, { payload }) {
    const { act } = env.buffers;
    checkLength('step', payload, act.byteLength);
    viewAsBytes(act).set(payload);
    env.step();
    return encoder.encodeStep();
  },
  look({ encoder }, { flags, payload }) {
    checkLength('look', payload, 0);
    return flags === FLAGS.look.all ? encoder.encodeWithLastEpisodes() : encoder.encodeCurrent();
  },
  suggest({ env }, { payload }) {
    checkLength('suggest', payload, 4);
    env.sampleActions(readPolicy('suggest', payload));
    return [viewAsBytes(env.buffers.act)];
  },
  rollout({ env }, { payload }) {
    checkLength('rollout', payload, 12);
    const policy = readPolicy('rollout', payload);
    const steps = readNumber('ROLLOUT steps', payload, 4, 1, Math.floor(ACTIONS_MAX / env.numEnvs));
    const episodes = createDataView(payload).getUint32(8, true);
    return [viewAsBytes(Uint32Array.of(env.rollout(policy, episodes === 0 ? { steps } : { steps, episodes }), 0))];
  },
  snapshot({ env }, { payload }, offer) {
    checkLength('snapshot', payload, 0);
    const snapshot = env.snapshot();
    return [offer.addChecksum(snapshot), snapshot];
  },
  restore({ env }, { payload }, offer) {
    checkLength('restore', payload, offer.snapshotBytes(env) ?? payload.length);
    env.restore(offer.removeChecksum(payload));
    return [];
  },
  rekey({ env }, { payload }) {
    checkLength('rekey', payload, 16);
    const from = readNumber('REKEY from', payload, 8, 0, env.numEnvs);
    env.reseed(
      createDataView(payload).getBigUint64(0, true),
      from,
      readNumber('REKEY to', payload, 12, from, env.numEnvs),
    );
    return [];
  },
};

// Client connection: requests are handled one after the other. docs/reference/environment-protocol.md

/** Maximum payload before HELLO. */
const HELLO_MAX = 65_536;

/** Maximum size of replies that are joined first: copying is then cheaper than several writes. */
const JOINED_REPLY_MAX = 16_384;

const NAMES = new Map<number, RequestName>(Object.entries(REQUESTS).map(([name, type]) => [type, name as RequestName]));

/** Bits that the flags of a request may have. */
const REQUEST_FLAGS: Partial<Record<RequestName, number>> = {
  reset: FLAGS.reset.seed | FLAGS.reset.mask,
  look: FLAGS.look.all,
};

const encodeText = (text: string): Uint8Array => new TextEncoder().encode(text);

const countBytes = (parts: PayloadParts): number => parts.reduce((sum, { length }) => sum + length, 0);

function parseRequestName({ type, flags }: FrameHeader): RequestName {
  const name = NAMES.get(type);
  if (name === undefined) {
    throw new InputError('type', `a request, 1..${String(NAMES.size)}`, String(type));
  }
  const bits = REQUEST_FLAGS[name] ?? 0;
  if ((flags & ~bits) === 0) return name;
  throw new InputError(`${name.toUpperCase()} flags`, bits === 0 ? '0' : `bits of ${String(bits)}`, String(flags));
}

function describeError(error: unknown): string {
  const { message } = error as Error;
  return error instanceof InputError || error instanceof RunError ? message : `unexpected error: ${message}`;
}

class ClientConnection {
  readonly #output: Writable;
  readonly #offer: ServedEnvironments;
  readonly #frames = new FrameReader(HELLO_MAX);
  readonly #whole = new Uint8Array(HEADER_BYTES + JOINED_REPLY_MAX);
  #opened: ClientEnvironments | undefined;
  #over = false;

  constructor(output: Writable, offer: ServedEnvironments) {
    this.#output = output;
    this.#offer = offer;
  }

  /** Handles requests until the input ends, CLOSE, or invalid framing. */
  async answer(input: Readable): Promise<void> {
    // The stream stays open at the end of the input, because a reply may still be pending.
    const chunks = input.iterator({ destroyOnReturn: false }) as AsyncIterable<Uint8Array>;
    for await (const chunk of chunks) {
      for (const frame of this.#frames.read(chunk)) {
        await this.#take(frame);
        if (this.#over) return;
      }
    }
    if (!this.#frames.isInFrame) return;
    const halved = new InputError('frame', 'all of its bytes', 'the end of the stream');
    await this.#send(ERROR, 0, [encodeText(halved.message)]);
  }

  async #take(frame: Frame): Promise<void> {
    let type = frame.type | REPLY;
    let parts: PayloadParts;
    try {
      parts = await this.#reply(frame);
    } catch (error) {
      // After a failure of a kernel or rules, the environments are undefined.
      if (error instanceof RunError) this.#leave();
      type = ERROR;
      parts = [encodeText(describeError(error))];
    }
    await this.#send(type, frame.id, parts);
  }

  async #reply(frame: Frame): Promise<PayloadParts> {
    const { payload } = frame;
    if (payload === undefined) throw this.#createLengthError(frame);
    const name = parseRequestName(frame);
    if (name === 'hello') return this.#answerHello(payload);
    if (name === 'close') {
      this.#over = true;
      return [];
    }
    if (this.#opened === undefined) throw new InputError('request', 'HELLO as the first request', name.toUpperCase());
    return HANDLERS[name](this.#opened, { flags: frame.flags, payload }, this.#offer);
  }

  /**
   * Creates the error for a payload that is too long. The connection ends if its length suggests that the client does
   * not send frames.
   */
  #createLengthError({ length }: Frame): InputError {
    this.#over = this.#opened === undefined || length >= LENGTH_LIMIT;
    return new InputError('frame', `at most ${String(this.#frames.limit)} bytes of payload`, String(length));
  }

  async #answerHello(payload: Uint8Array): Promise<PayloadParts> {
    const offer = this.#offer;
    const greeting = offer.parseHello(payload);
    this.#leave();
    const env = await offer.open(greeting);
    const sight = new ObservationEncoder(env, greeting.selection);
    const limit = Math.max(HELLO_MAX, offer.payloadLimit(env));
    this.#opened = { env, encoder: sight };
    this.#frames.limit = limit;
    const { envs, firstEnv, seed } = greeting;
    const { fields, last } = sight;
    return [encodeText(JSON.stringify({ ...offer.manifest, envs, firstEnv, seed: String(seed), limit, fields, last }))];
  }

  #leave(): void {
    this.#opened = undefined;
    this.#frames.limit = HELLO_MAX;
  }

  /**
   * Writes a frame, and waits until it is sent: its parts are views of memory that the next request changes, and a
   * client that does not read gets no further replies.
   */
  #send(type: number, id: number, parts: PayloadParts): Promise<void> {
    const length = countBytes(parts);
    writeHeader(this.#whole, { length, type, flags: 0, id });
    return this.#write(
      length <= JOINED_REPLY_MAX ? [this.#appendPayload(parts)] : [this.#whole.subarray(0, HEADER_BYTES), ...parts],
    );
  }

  /** Appends a payload to the header in `whole`. */
  #appendPayload(parts: PayloadParts): Uint8Array {
    let at = HEADER_BYTES;
    for (const part of parts) {
      this.#whole.set(part, at);
      at += part.length;
    }
    return this.#whole.subarray(0, at);
  }

  #write(pieces: PayloadParts): Promise<void> {
    const output = this.#output;
    return new Promise((resolve, reject) => {
      output.cork();
      for (const piece of pieces.slice(0, -1)) output.write(piece);
      output.write(pieces.at(-1), (error) => {
        if (error) reject(error);
        else resolve();
      });
      output.uncork();
    });
  }
}

/**
 * Serves a client until its input ends, it sends CLOSE, or it sends invalid frames. A disconnected client is not an
 * error.
 */
export async function serveClient(input: Readable, output: Writable, offer: ServedEnvironments): Promise<void> {
  try {
    await new ClientConnection(output, offer).answer(input);
  } catch (error) {
    const failedStream = error instanceof Error && 'code' in error;
    if (!failedStream) throw error;
  }
}
