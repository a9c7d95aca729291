/** Completion scripts for shells. */
import { execFileSync } from 'node:child_process';
import { describe, expect, test } from 'vitest';
import { createCompletionScript, SHELLS } from '../../src/cli/completion.ts';
import { createProgram } from '../../src/cli/program.ts';

const warpool = await createProgram();

/** Returns the completions of bash for the last word of each line. */
function proposed(lines: readonly (readonly string[])[]): string[][] {
  const calls = lines.map((words) => {
    const list = ['warpool', ...words].map((word) => `'${word}'`).join(' ');
    return `COMP_WORDS=(${list}); COMP_CWORD=${String(words.length)}; _warpool; (IFS='|'; echo "\${COMPREPLY[*]}")`;
  });
  const script = [createCompletionScript('bash', warpool), 'complete -p warpool', ...calls].join('\n');
  const [registered, ...answers] = execFileSync('bash', ['--norc', '-c', script], { encoding: 'utf8' })
    .trimEnd()
    .split('\n');
  expect(registered).toBe('complete -o filenames -F _warpool warpool');
  return answers.map((answer) => answer.split('|').filter((word) => word !== ''));
}

describe('bash', () => {
  test('completes commands, options, values and files', () => {
    const answers = proposed([
      ['sw'],
      ['help', 'exa'],
      ['run', 'scenarios/attrition-bra'],
      ['run', '--prec'],
      ['run', '--engine', ''],
      ['run', '--battles', ''],
      ['run', '--exact', 'n'],
      ['equilibrium', '--dec'],
      ['schema', 'sw'],
      ['systems', 'phased'],
      ['completion', ''],
      ['report', '--figures', 'scen'],
    ]);
    expect(answers).toEqual([
      ['sweep'],
      ['exact'],
      ['scenarios/attrition-brawl.yaml'],
      ['--precision', '--precision-of', '--precision-floor'],
      ['kernel', 'automaton', 'reference', 'sampled'],
      [],
      ['never'],
      ['--decisions'],
      ['sweep', 'sweep-result', 'sweep-estimate', 'sweep-prepared', 'sweep-shard'],
      ['phased-dice'],
      ['bash', 'zsh', 'fish'],
      ['scenarios'],
    ]);
  });
});

test.each(SHELLS)('the %s script contains every command and long option', (shell) => {
  const script = createCompletionScript(shell, warpool);
  for (const command of warpool.commands) {
    expect(script).toContain(command.name());
    for (const { long } of command.options)
      expect(script).toContain(shell === 'fish' ? ` -l ${String(long).slice(2)}` : String(long));
  }
});

test('the zsh script uses the completion function of bash', () => {
  expect(createCompletionScript('zsh', warpool)).toContain(
    '\nautoload -U +X bashcompinit && bashcompinit\n_warpool() {\n',
  );
});

test('the fish script quotes descriptions correctly', () => {
  for (const line of createCompletionScript('fish', warpool).trimEnd().split('\n').slice(1))
    expect(line).toMatch(/^complete -c warpool( -[fF]| -[xnarsld]( ('([^'\\]|\\.)*'|[\w-]+))?)+$/u);
});

test('completion rejects an unknown shell', async () => {
  await expect(warpool.parseAsync(['node', 'warpool', 'completion', 'bsh'])).rejects.toThrow(
    'shell: expected one of bash, zsh, fish, found "bsh" (did you mean bash?)',
  );
});
