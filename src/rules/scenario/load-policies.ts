/** Replaces the paths of policy files in a scenario by their content. */
import { createSha256 } from '#platform/hash';
import { describeFound, InputError } from '../../core/index.ts';
import { DEPTH_LIMIT, TOO_DEEP } from './document.ts';
import { readText } from './read-text.ts';

/** Maximum bytes of a policy file. */
const SIZE_MAX = 2 ** 26;

/** Path of a policy file, with an optional hash of its bytes. */
interface PolicyReference {
  readonly file: string;
  readonly sha256?: unknown;
}

type Mapping = Record<string, unknown>;

const isMapping = (value: unknown): value is Mapping =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function findReference(value: unknown): PolicyReference | undefined {
  if (typeof value === 'string' && value.endsWith('.json')) return { file: value };
  if (isMapping(value) && typeof value['file'] === 'string' && value['format'] === undefined)
    return value as unknown as PolicyReference;
  return undefined;
}

/** True if mappings and lists are nested in more levels: later code recurses level by level. */
const isDeeper = (value: unknown, levels: number): boolean =>
  typeof value === 'object' &&
  value !== null &&
  (levels === 0 || Object.values(value).some((inner) => isDeeper(inner, levels - 1)));

/** @throws InputError if the text is not JSON, or nested too deeply */
function parsePolicy(text: string, path: string): unknown {
  let policy: unknown;
  try {
    policy = JSON.parse(text);
  } catch (error) {
    throw new InputError(path, 'a policy file in JSON', (error as Error).message, { file: path });
  }
  if (isDeeper(policy, DEPTH_LIMIT)) throw new InputError(path, ...TOO_DEEP, { file: path });
  return policy;
}

/**
 * Loads the file of a policy; other values are returned as they are.
 * @param place name of the field in messages
 * @param folder base of relative paths, with its last separator
 * @throws InputError if it is unreadable, larger than 64 MiB, not JSON, nested too deeply, or has another hash
 */
export async function loadPolicySource(place: string, value: unknown, folder: string): Promise<unknown> {
  const reference = findReference(value);
  if (reference === undefined) return value;
  const { file, sha256 } = reference;
  const path = /^(?:[\\/]|[a-zA-Z]+:)/.test(file) ? file : `${folder}${file}`;
  const text = await readText(path, SIZE_MAX);
  const hash = createSha256().update(text).hex();
  if (sha256 !== undefined && sha256 !== hash)
    throw new InputError(`${place}.sha256`, `${hash}, the SHA-256 of ${path}`, describeFound(sha256));
  return parsePolicy(text, path);
}

/**
 * Loads the policy files of all scenarios in a document, and replaces their paths by their content.
 * @param base path of the document; relative paths are relative to its folder
 * @throws InputError as `loadPolicySource`
 */
export async function loadPolicies(document: unknown, base: string): Promise<void> {
  if (typeof document !== 'object' || document === null) return;
  const { system, policies } = document as Mapping;
  if (typeof system === 'string' && isMapping(policies))
    for (const [player, value] of Object.entries(policies))
      policies[player] = await loadPolicySource(`policies.${player}`, value, /^.*[\\/]/.exec(base)?.[0] ?? '');
  for (const inner of Object.values(document)) if (inner !== policies) await loadPolicies(inner, base);
}
