/** The page of a study of sensitivity. */
import type { Sensitivity, StepSensitivity } from '../../../sensitivity/index.ts';
import { RULESET, scenarioHash } from '../../../stats/digest.ts';
import type { Scenario } from '../../../systems/system.ts';
import { cleanText } from '../../clean.ts';
import { signed } from '../../diff.ts';
import { fixed, grouped, plain, significant } from '../../digits.ts';
import { decimalsOf, scaleOf, unitOf } from '../../effects.ts';
import { sentence } from '../../pictures/picture.ts';
import { sensitivityPicture } from '../../pictures/sensitivity.ts';
import { answered, linesOf, methodOf } from '../../sensitivity.ts';
import { type Markup, markup } from '../markup.ts';
import { shellOf } from '../shell.ts';
import { SINGLE_STYLE } from './dress.ts';
import { answerOf, commandOf, factsOf, picturesOf, type Subject, scenarioOf } from './parts.ts';
import { sheetOf } from './sheets.ts';

export interface SensitivitySubject extends Subject {
  readonly scenario: Scenario;
}

/** Fields that the answer names. */
const NAMED = 3;

/** `attacker.hp (-3.1 points one step down, +2.9 up)` */
function stepText(
  { path, down, up, ci95, effect }: StepSensitivity['fields'][number],
  { kind, of }: Sensitivity,
): string {
  const times = scaleOf(kind);
  const decimals = decimalsOf(ci95 && [times * ci95[0], times * ci95[1]], times * effect);
  const show = (step: typeof up, word: string): string[] =>
    step === undefined ? [] : [`${signed(fixed(times * step.effect, decimals))} one step ${word}`];
  return `${cleanText(path)} (${[...show(up, 'up'), ...show(down, 'down')].join(', ')}; ${unitOf(kind, of)})`;
}

/** The fields that matter, the strongest first, as they are named in the answer. */
function mattering(result: Sensitivity): string[] {
  if (result.method === 'step')
    return result.fields.filter(({ verdict }) => verdict === 'effect').map((field) => stepText(field, result));
  const times = result.method === 'morris' ? scaleOf(result.kind) : 100;
  const unit = result.method === 'morris' ? ` ${unitOf(result.kind, result.of)}` : ' % of the variance';
  return result.fields
    .filter(({ ci95: [low] }) => low > 0)
    .map(({ path, effect }) => `${cleanText(path)} (${significant(times * effect, 3)}${unit})`);
}

const MEANS = {
  step: 'One step of a field, the rest as it is:',
  morris: 'Over the whole space, by the mean size of the effect of a passage through a field’s range:',
  sobol: 'Over the whole space, by the share of the variance that a field explains with its interactions:',
} as const;

function answer(result: Sensitivity): Markup {
  const of = cleanText(result.of);
  const fields = mattering(result);
  if (fields.length === 0) return answerOf(`No field is shown to have an effect on ${of}.`, []);
  const [first = '', ...others] = fields;
  const next = others.slice(0, NAMED - 1);
  const more = others.length - next.length;
  const rest = [...next, ...(more > 0 ? [`${grouped(more)} more`] : [])].join(', then ');
  const unclear = result.fields.length - fields.length;
  return answerOf(`${MEANS[result.method]} ${first} matters most to ${of}.`, [
    ...(rest === '' ? [] : [`Then ${rest}.`]),
    ...(unclear > 0
      ? [`${grouped(unclear)} of ${grouped(result.fields.length)} fields are not shown to have an effect.`]
      : []),
  ]);
}

function asked(result: Sensitivity, { scenario, name, version, command }: SensitivitySubject): Markup {
  const { of, kind, seed, method } = result;
  const value =
    method === 'step'
      ? [
          [
            'as it is',
            `${plain(Number((scaleOf(kind) * result.value).toFixed(4)))}${kind === 'outcome' ? ' %' : ''}`,
          ] as const,
        ]
      : [];
  return markup`<section id="asked"><h2>What was asked</h2>
${factsOf([
  ['scenario', `${name}, ${scenarioHash(scenario)}`],
  ['system', `${scenario.system}, ruleset ${RULESET}`],
  [kind, cleanText(of)],
  ...value,
  ['method', method === 'step' ? 'single steps' : methodOf(result)],
  ['cells', answered(result)],
  ['seed', String(seed)],
  ['version', `warpool ${version}`],
])}
${commandOf(command)}
${scenarioOf(scenario)}</section>`;
}

/** The whole page of a study of sensitivity. */
export async function sensitivityPage(result: Sensitivity, subject: SensitivitySubject): Promise<string> {
  const { name, version, scenario } = subject;
  const lead = [scenario.system, cleanText(result.of), sentence(methodOf(result)), answered(result)].join(' · ');
  const footer = [name, `warpool ${version}`, `sensitivity, ${result.method}`, `seed ${String(result.seed)}`].join(
    ' · ',
  );
  const picture = result.fields.length === 0 ? markup`` : await picturesOf([sensitivityPicture(result)], footer);
  const stopped = result.complete
    ? markup``
    : markup`<p class="open">The study was interrupted: ${answered(result)}.</p>`;
  return shellOf({
    title: `${name}: sensitivity of ${cleanText(result.of)}`,
    lead,
    warpool: version,
    style: SINGLE_STYLE,
    before: markup`${stopped}${answer(result)}`,
    sections: [
      {
        id: 'effects',
        title: 'Effects',
        body: markup`<section id="effects"><h2>Effects, the strongest first</h2>
<div class="beside"><div>${sheetOf((look) => linesOf(result, look).flat())}</div><div>${picture}</div></div></section>`,
      },
      { id: 'asked', title: 'What was asked', body: asked(result, subject) },
    ],
  });
}
