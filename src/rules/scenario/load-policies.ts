/** Replaces the paths of policy files in a scenario by their content. */
import { createSha256 } from '#platform/hash';
import { describeFound, InputError } from '../../core/index.ts';
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

/**
 * Loads the file of a policy; other values are returned as they are.
 * @param place name of the field in messages
 * @param folder base of relative paths, with its last separator
 * @throws InputError if it is unreadable, larger than 64 MiB, not JSON, or has another hash
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
  try {
    return JSON.parse(text) as unknown;
  } catch (error) {
    throw new InputError(path, 'a policy file in JSON', (error as Error).message, { file: path });
  }
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
  for (const inner of Object.values(document)) await loadPolicies(inner, base);
}
