/**
 * Answers requests of another process. Requests and responses are lines of JSON:
 *
 *     {"id": 1, "call": "exact", "subjects": ["attrition-direct"], "options": {}, "cwd": "/home/me", "progress": true}
 *     {"id": 1, "progress": {"done": 100, "total": 1000}}
 *     {"id": 1, "output": "exact", "result": {...}}
 *     {"abort": 1}
 *
 * Large results are in a file: `{"id": 1, "file": "/tmp/.../1.json"}`. The client deletes the file.
 */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { checkList } from '../core/index.ts';
import { replayEpisode } from '../environments/index.ts';
import { AbortError, InputError, loadSystems, type SystemRegistry, WarpoolError } from '../index.ts';
import { formatReplayLines, PLAIN_STYLE } from '../report/index.ts';
import { getBoundScenario, SHIPPED_REGISTRY } from '../rules/index.ts';
import { hashScenario } from '../stats/index.ts';
import type { CallProgress, CallText, FunctionResult } from './call.ts';
import { FUNCTIONS } from './functions.ts';
import { readChangedScenario, readScenarioSubject } from './subjects.ts';

/** Id of a request, unique among all processes of a client: its result can be sent to another one. */
type RequestId = string | number;

/** A request of the client. */
export interface RpcRequest {
  readonly id: RequestId;
  /** Name of a function. */
  readonly call: string;
  readonly subjects: readonly unknown[];
  readonly options?: Readonly<Record<string, unknown>>;
  /** Modules with custom systems. */
  readonly systems?: readonly string[];
  /** Working folder of the client: relative paths start there. */
  readonly cwd?: string;
  /** True to report progress. */
  readonly progress?: boolean;
  /** Requests the HTML report of the result of an earlier request, or of this call. */
  readonly html?: { readonly of?: RequestId | undefined; readonly text: CallText };
}

/** A line of the client. */
type RpcMessage = RpcRequest | { readonly abort: RequestId };

/** Response to a request. */
type RpcResponse = Readonly<Record<string, unknown>>;

/** Results that are kept for their HTML report; older ones are computed again. */
const KEPT_RESULTS = 16;

/** Longer responses are written to files, in characters. */
const LINE_MAX = 2 ** 20;

/** Milliseconds between two reports of progress. */
const PROGRESS_INTERVAL_MS = 100;

/** Converts an error to JSON. Errors that are not of warpool are defects, with their stack. */
function toErrorJson(error: unknown): object {
  if (error instanceof WarpoolError) return error.toJSON();
  const { name, message, stack } = error instanceof Error ? error : new Error(String(error));
  return { name: 'Error', code: 'unexpected', message: `${name}: ${message}`, stack };
}

/** Answers requests. */
export class RpcServer {
  readonly #send: (line: string) => void;
  readonly #folder: string;
  readonly #running = new Map<RequestId, AbortController>();
  readonly #kept = new Map<RequestId, FunctionResult>();
  readonly #registries = new Map<string, Promise<SystemRegistry>>();

  /**
   * @param send writes a line
   * @param folder folder for large results
   */
  constructor(send: (line: string) => void, folder: string) {
    this.#send = send;
    this.#folder = folder;
  }

  /** Handles a line of the client. Its response is sent when it is complete. */
  async receive(line: string): Promise<void> {
    const message = JSON.parse(line) as RpcMessage;
    if ('abort' in message) this.#running.get(message.abort)?.abort();
    else await this.#answer(message);
  }

  async #answer(request: RpcRequest): Promise<void> {
    const { id } = request;
    const controller = new AbortController();
    this.#running.set(id, controller);
    try {
      const response = await this.#respond(request, controller.signal);
      const text = JSON.stringify({ id, ...response });
      if (text.length <= LINE_MAX) {
        this.#send(text);
        return;
      }
      const file = join(this.#folder, `${String(id)}.json`);
      await writeFile(file, text);
      this.#send(JSON.stringify({ id, file }));
    } catch (error) {
      this.#send(JSON.stringify({ id, error: toErrorJson(error) }));
    } finally {
      this.#running.delete(id);
    }
  }

  async #respond(request: RpcRequest, signal: AbortSignal): Promise<RpcResponse> {
    const { id, call, subjects, systems: modules = [], cwd, html } = request;
    if (cwd !== undefined && cwd !== process.cwd()) process.chdir(cwd);
    checkList('systems', 'a list of paths, or of names of packages', modules);
    const systems = await this.#loadSystems(modules);
    if (call === 'load_scenario') {
      const [source, changes] = subjects;
      const { scenario, name } =
        changes === undefined
          ? await readScenarioSubject(source, systems)
          : await readChangedScenario(source, changes, systems);
      return { result: { scenario, name, hash: hashScenario(scenario) } };
    }
    if (call === 'replay_episode') {
      const { scenario } = await readScenarioSubject(subjects[0], systems);
      const { events, pending } = replayEpisode(scenario, subjects[1] as Parameters<typeof replayEpisode>[1]);
      const lines = formatReplayLines(events, getBoundScenario(scenario).system, PLAIN_STYLE);
      return { result: { lines, pending: pending ?? null, hash: hashScenario(scenario) } };
    }
    const known = html?.of === undefined ? undefined : this.#kept.get(html.of);
    const result = known ?? (await this.#call(request, systems, signal));
    if (html !== undefined) {
      // The client compares them: the file of a scenario can have changed since its result was computed.
      const { scenario, digest } = result.json as Readonly<Record<string, unknown>>;
      return { result: await result.html(html.text), of: { scenario, digest } };
    }
    this.#keep(id, result);
    return { output: result.output ?? FUNCTIONS[call]?.output, result: result.json };
  }

  async #call(
    { id, call, subjects, options = {}, progress = false }: RpcRequest,
    systems: SystemRegistry,
    signal: AbortSignal,
  ): Promise<FunctionResult> {
    const declared = FUNCTIONS[call];
    if (declared === undefined)
      throw new InputError('call', `one of ${Object.keys(FUNCTIONS).join(', ')}`, JSON.stringify(call));
    let due = 0;
    const onProgress = (done: CallProgress): void => {
      const now = performance.now();
      if (now < due) return;
      due = now + PROGRESS_INTERVAL_MS;
      this.#send(JSON.stringify({ id, progress: done }));
    };
    const watch = { signal, ...(progress && { onProgress }) };
    const result = await declared.call({ subjects, options, systems, watch });
    // Runs and sweeps that a signal stops return what they have, which is not the result of the call.
    if (signal.aborted) throw new AbortError('the call was interrupted', signal);
    return result;
  }

  #keep(id: RequestId, result: FunctionResult): void {
    this.#kept.set(id, result);
    const [oldest] = this.#kept.keys();
    if (this.#kept.size > KEPT_RESULTS && oldest !== undefined) this.#kept.delete(oldest);
  }

  async #loadSystems(modules: readonly string[]): Promise<SystemRegistry> {
    if (modules.length === 0) return SHIPPED_REGISTRY;
    const key = JSON.stringify([process.cwd(), ...modules]);
    const loading = this.#registries.get(key) ?? loadSystems(modules);
    this.#registries.set(key, loading);
    try {
      return await loading;
    } catch (error) {
      this.#registries.delete(key);
      throw error;
    }
  }
}
