/** Names in files for other programs. */

/** Converts names to distinct identifiers of letters, digits and underscores. */
export function createIdentifiers(names: readonly string[], reserved: readonly string[] = []): string[] {
  const used = new Set(reserved);
  return names.map((name) => {
    const word = name.replaceAll(/[^A-Za-z0-9_]+/g, '_').replace(/^(?=\d)/, '_');
    let free = word;
    for (let k = 2; used.has(free); k++) free = `${word}_${String(k)}`;
    used.add(free);
    return free;
  });
}
