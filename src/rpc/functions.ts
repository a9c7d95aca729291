/**
 * Functions for other languages, by name. They have the options of a function of the library, from whose declaration
 * `scripts/python-functions.js` reads them, and results with the JSON of a command.
 */
import { MATCHUP } from '../analysis/index.ts';
import { readObservations } from '../analysis/node.ts';
import { checkList, describeFound } from '../core/index.ts';
import { type Equilibrium, findBestResponse, findEquilibrium } from '../environments.ts';
import {
  analyzeMatchups,
  balance,
  balanceScenarios,
  type CompareOptions,
  certifyMatchup,
  compare,
  compareRules,
  createStore,
  estimateRareOutcome,
  estimateSweep,
  type FindOptions,
  findBattles,
  fitFields,
  InputError,
  type MergeOptions,
  type MorrisOptions,
  matchup,
  mergeStores,
  morrisSensitivity,
  type ObservedBattles,
  openStore,
  type RunSweepOptions,
  replay,
  runSweep,
  type Sensitivity,
  type ShardResult,
  type SobolOptions,
  type StepOptions,
  type SweepResult,
  sobolSensitivity,
  solve,
  stepSensitivity,
  type VerifyOptions,
  verifyStore,
} from '../index.ts';
import type { OutputName } from '../report/index.ts';
import * as report from '../report/index.ts';
import { getBoundScenario, isMapping } from '../rules/index.ts';
import type { OptionSpecs } from '../rules/option-spec.ts';
import { hashScenario, identifyRules } from '../stats/index.ts';
import {
  type FunctionCall,
  type FunctionDeclaration,
  readSubject,
  readSubjects,
  toNamedScenarios,
  toOptions,
} from './call.ts';
import { checkExpectationFiles } from './check-expectations.ts';
import { checkFiles } from './check-files.ts';
import { createOrigin, type OutputSheet, renderSheet, renderText } from './pages.ts';
import { runScenario } from './run-scenario.ts';
import { readChangedScenario, readProblemSubject, readRosterSubject, readSweepSubject } from './subjects.ts';

const exact: FunctionDeclaration = {
  library: 'solve',
  subjects: ['scenario'],
  output: 'exact',
  table: ['outcomes', 'metrics'],
  async call(call) {
    const subject = await readSubject(call);
    const { name } = subject;
    const result = await solve(subject.scenario, toOptions(call));
    return {
      json: report.createExactJson(result, { name }),
      html: (text) =>
        renderSheet(report.createExactSheet(result, name, 'auto'), name, text, toNamedScenarios([subject])),
    };
  },
};

const rare: FunctionDeclaration = {
  library: 'estimateRareOutcome',
  subjects: ['scenario'],
  output: 'run-rare',
  table: ['stages'],
  async call(call) {
    const { scenario, name } = await readSubject(call);
    const result = await estimateRareOutcome(scenario, toOptions(call));
    const { createRareOutcomeJson, createRareOutcomeSheet } = await import('../report/run/rare-outcome.ts');
    return {
      json: createRareOutcomeJson(result, { name }),
      html: (text) => renderSheet(createRareOutcomeSheet(result, name), name, text),
    };
  },
};

const compareScenarios: FunctionDeclaration = {
  library: 'compare',
  subjects: ['scenarios'],
  output: 'compare',
  table: ['scenarios'],
  async call(call) {
    const subjects = await readSubjects([call.subjects[0]].flat(), call.systems);
    const scenarios = subjects.map(({ scenario }) => scenario);
    const options: CompareOptions = toOptions(call);
    const names = options.names ?? subjects.map(({ name }) => name);
    const result = await compare(scenarios, { ...options, names });
    const compared = subjects.map(({ scenario }, s) => ({ name: names[s] ?? '', hash: hashScenario(scenario) }));
    const [first] = scenarios;
    return {
      json: report.createComparisonJson(result, first === undefined ? { system: '' } : identifyRules(first), compared),
      async html(text) {
        const { renderComparisonPage } = await import('../report/html/commands/compare.ts');
        const origin = createOrigin(
          names.length === 2 ? names.join(' and ') : `${String(names.length)} scenarios`,
          text,
        );
        const formatReplay = (s: number, battle: number): string =>
          `warpool.replay(${text.subjects[s] ?? ''}, seed=${result.seed}, battle=${String(battle)})`;
        return await renderComparisonPage(result, { ...origin, scenarios, names, replay: formatReplay });
      },
    };
  },
};

const compareTwoRules: FunctionDeclaration = {
  library: 'compareRules',
  subjects: ['scenario', 'changed'],
  output: 'compare-rules',
  table: ['outcomes', 'metrics'],
  async call(call) {
    const [subject, changed] = [await readSubject(call), await readSubject(call, 1)];
    const { scenario, name } = subject;
    const result = await compareRules(scenario, changed.scenario, toOptions(call));
    const hashes = [hashScenario(scenario), hashScenario(changed.scenario)] as const;
    return {
      json: report.createRulesComparisonJson(result, { name }, scenario, hashes, []),
      html: (text) =>
        renderSheet(
          report.createRulesComparisonSheet(result, name, []),
          name,
          text,
          toNamedScenarios([subject, changed]),
        ),
    };
  },
};

/** Methods of sensitivity analysis. */
const METHODS = { step: stepSensitivity, morris: morrisSensitivity, sobol: sobolSensitivity } as const;

const isMethod = (name: unknown): name is keyof typeof METHODS => typeof name === 'string' && name in METHODS;

const sensitivity: FunctionDeclaration = {
  library: { step: 'stepSensitivity', morris: 'morrisSensitivity', sobol: 'sobolSensitivity' },
  subjects: ['scenario'],
  output: 'sensitivity',
  table: ['fields'],
  async call(call) {
    const { method = 'step', ...options } = call.options;
    if (!isMethod(method))
      throw new InputError('method', `one of ${Object.keys(METHODS).join(', ')}`, JSON.stringify(method));
    const subject = await readSubject(call);
    const { scenario, name } = subject;
    const run: (of: typeof scenario, options: StepOptions & MorrisOptions & SobolOptions) => Promise<Sensitivity> =
      METHODS[method];
    const result = await run(scenario, toOptions({ ...call, options }));
    return {
      json: report.createSensitivityJson(result, { name }, scenario, hashScenario(scenario)),
      async html(text) {
        const { renderSensitivityPage } = await import('../report/html/commands/sensitivity.ts');
        return await renderSensitivityPage(result, { ...createOrigin(name, text), scenario });
      },
    };
  },
};

const balanceFields: FunctionDeclaration = {
  library: 'balance',
  subjects: ['scenario'],
  output: 'balance',
  table: ['meeting'],
  async call(call) {
    const { scenario, name } = await readSubject(call);
    const result = await balance(scenario, toOptions(call));
    return {
      json: report.createBalanceJson(result, { name }, scenario, hashScenario(scenario)),
      async html(text) {
        const { renderBalancePage } = await import('../report/html/commands/balance.ts');
        const formatNext = (set: readonly string[]): string => {
          const changes = set.map((each) => each.replace(/^(.*?)=(.*)$/, '"$1": $2')).join(', ');
          return `warpool.run(warpool.load_scenario(${text.subjects[0] ?? ''}).set({${changes}}))`;
        };
        return await renderBalancePage(result, { ...createOrigin(name, text), scenario, next: formatNext });
      },
    };
  },
};

const balanceProblem: FunctionDeclaration = {
  library: 'balanceScenarios',
  subjects: ['problem'],
  output: 'balance-problem',
  table: ['meeting'],
  async call(call) {
    const problem = await readProblemSubject(call.subjects[0], call.systems);
    const result = await balanceScenarios(problem, toOptions(call));
    return {
      json: report.createSolutionJson(result),
      async html(text) {
        const { renderSolutionPage } = await import('../report/html/commands/solution.ts');
        return await renderSolutionPage(result, createOrigin(problem.name, text));
      },
    };
  },
};

const fit: FunctionDeclaration = {
  library: 'fitFields',
  subjects: ['scenario', 'observations'],
  output: 'fit',
  table: ['fields'],
  async call(call) {
    const subject = await readSubject(call);
    const { scenario, name } = subject;
    const given = call.subjects[1] as string | readonly ObservedBattles[];
    const { shape } = getBoundScenario(scenario);
    const observed = typeof given === 'string' ? await readObservations(given, shape) : given;
    const result = await fitFields(scenario, observed, toOptions(call));
    return {
      json: report.createFitJson(result, { name }),
      html: (text) => renderSheet(report.createFitSheet(result, name), name, text, toNamedScenarios([subject])),
    };
  },
};

const find: FunctionDeclaration = {
  library: 'findBattles',
  subjects: ['scenario'],
  output: 'find',
  table: ['matches'],
  async call(call) {
    const { scenario, name } = await readSubject(call);
    const options: FindOptions = toOptions(call);
    const result = await findBattles(scenario, options);
    const seed = BigInt(options.seed ?? 1);
    return {
      json: report.createFindJson(result, { name }, scenario, hashScenario(scenario), seed),
      html: (text) => renderText(report.formatFindSheet(result, { file: name, seed }, report.PLAIN_STYLE), name, text),
    };
  },
};

const replayBattle: FunctionDeclaration = {
  library: 'replay',
  subjects: ['scenario'],
  output: 'replay',
  table: ['events'],
  async call(call) {
    const { scenario, name } = await readSubject(call);
    const result = replay(scenario, call.options);
    const { system } = getBoundScenario(scenario);
    return {
      json: report.createReplayJson(result, { name }, scenario, hashScenario(scenario)),
      html: (text) => renderText(report.formatReplay(result, name, system, report.PLAIN_STYLE), name, text),
    };
  },
};

const bestResponse: FunctionDeclaration = {
  library: 'findBestResponse',
  subjects: ['scenario'],
  output: 'best-response',
  added: { policyTable: 'Content of a policy file with the optimal policy, if `policy_table` is true.' },
  table: ['corrections'],
  async call(call) {
    const { scenario, name } = await readSubject(call);
    const result = await findBestResponse(scenario, toOptions(call));
    const { policyTable } = result;
    return {
      json: { ...report.createBestResponseJson(result, { name }), ...(policyTable && { policyTable }) },
      async html(text) {
        const { renderBestResponsePage } = await import('../report/html/commands/best-response.ts');
        return await renderBestResponsePage(result, createOrigin(name, text));
      },
    };
  },
};

/** Reads the scenario of a game. Its option `policies` replaces policies: files, their content, or names. */
async function readGame(call: FunctionCall) {
  const { policies, ...options } = call.options;
  if (policies === undefined) return { subject: await readSubject(call), options };
  if (!isMapping(policies)) throw new InputError('policies', 'policies by player', describeFound(policies));
  const changes = Object.entries(policies).map(([player, policy]) => [`policies.${player}`, policy]);
  const subject = await readChangedScenario(call.subjects[0], Object.fromEntries(changes), call.systems);
  return { subject, options };
}

/** Declares a function that computes an equilibrium. */
const declareGame = (
  output: OutputName,
  createJson: (result: Equilibrium, label: { readonly name: string }) => object,
  createSheet: (result: Equilibrium, title: string) => OutputSheet,
  about?: string,
): FunctionDeclaration => ({
  library: 'findEquilibrium',
  ...(about !== undefined && { about }),
  subjects: ['scenario'],
  output,
  added: { policyTables: 'Contents of policy files with the equilibrium by player, if `policy_table` is true.' },
  table: ['players'],
  async call(call) {
    const { subject, options } = await readGame(call);
    const { scenario, name } = subject;
    const result = await findEquilibrium(scenario, toOptions({ ...call, options }));
    const tables = result.players.flatMap(({ player, policyTable }) => (policyTable ? [[player, policyTable]] : []));
    return {
      json: {
        ...createJson(result, { name }),
        ...(tables.length > 0 && { policyTables: Object.fromEntries(tables) as object }),
      },
      html: (text) => renderSheet(createSheet(result, name), name, text, toNamedScenarios([subject])),
    };
  },
});

const equilibrium = declareGame('equilibrium', report.createEquilibriumJson, report.createEquilibriumSheet);

const exploitability = declareGame(
  'exploitability',
  report.createExploitabilityJson,
  report.createExploitabilitySheet,
  'Computes the gain of the best response against the policy of each player, and the states that lose most.',
);

/** Divides options into those of a specification and the others. */
function divideOptions(options: FunctionCall['options'], specs: OptionSpecs) {
  const entries = Object.entries(options);
  return [true, false].map((own) => Object.fromEntries(entries.filter(([name]) => name in specs === own))) as [
    FunctionCall['options'],
    FunctionCall['options'],
  ];
}

const matchupArmies: FunctionDeclaration = {
  library: 'matchup',
  subjects: ['roster'],
  output: 'matchup',
  matrix: ['attackers', 'defenders', 'values'],
  also: ['analyzeMatchups'],
  async call(call) {
    const [analyzing, options] = divideOptions(call.options, MATCHUP);
    const roster = await readRosterSubject(call.subjects[0], call.systems);
    const result = await matchup(roster, toOptions({ ...call, options }));
    const analysis = analyzeMatchups(result.matrix, analyzing);
    return {
      json: report.createMatchupJson(result, analysis, undefined),
      async html(text) {
        const { renderMatchupPage } = await import('../report/html/commands/matchup.ts');
        return await renderMatchupPage(result.matrix, analysis, createOrigin(roster.name, text));
      },
    };
  },
};

const certifyArmies: FunctionDeclaration = {
  library: 'certifyMatchup',
  subjects: ['roster'],
  output: 'matchup-value',
  async call(call) {
    const roster = await readRosterSubject(call.subjects[0], call.systems);
    const result = await certifyMatchup(roster, toOptions(call));
    return {
      json: report.createCertificationJson(result),
      html: (text) => renderSheet(report.createCertificationSheet(result), roster.name, text),
    };
  },
};

const sweep: FunctionDeclaration = {
  library: 'runSweep',
  subjects: ['sweep'],
  output: 'sweep-result',
  variants: { shard: 'sweep-shard' },
  async call(call) {
    const spec = await readSweepSubject(call.subjects[0], call.systems);
    const options: RunSweepOptions = toOptions(call);
    const result = (await runSweep(spec, options)) as SweepResult | ShardResult;
    if ('shard' in result)
      return {
        output: 'sweep-shard',
        json: report.createSweepShardJson(result),
        html: (text) => renderText(report.formatSweepShardSheet(result, report.PLAIN_STYLE), result.folder, text),
      };
    return {
      json: report.createSweepJson(result),
      async html(text) {
        const lines = report.formatSweepSheet(result, report.PLAIN_STYLE);
        if (!result.complete) return await renderText(lines, result.folder, text);
        const { renderSweepReport } = await import('../report/node.ts');
        const store = await openStore(result.folder, { systems: call.systems });
        return await renderSweepReport(await report.createSweepReport(store));
      },
    };
  },
};

const createSweepStore: FunctionDeclaration = {
  library: 'createStore',
  subjects: ['sweep', 'folder'],
  output: 'sweep-prepared',
  async call({ subjects: [source, folder], systems, options }) {
    const spec = await readSweepSubject(source, systems);
    const result = await createStore(spec, folder as string, options);
    return {
      json: report.createPreparedStoreJson(result),
      html: (text) => renderText(report.formatPreparedStoreSheet(result, report.PLAIN_STYLE), result.folder, text),
    };
  },
};

const estimate: FunctionDeclaration = {
  library: 'estimateSweep',
  subjects: ['sweep'],
  output: 'sweep-estimate',
  async call({ subjects, systems, options, watch: { signal } }) {
    const spec = await readSweepSubject(subjects[0], systems);
    const result = await estimateSweep(spec, { ...options, signal });
    return {
      json: report.createSweepEstimateJson(result, spec),
      html: (text) =>
        renderText(report.formatSweepEstimateSheet(result, spec, report.PLAIN_STYLE), spec.spec.name ?? 'sweep', text),
    };
  },
};

const merge: FunctionDeclaration = {
  library: 'mergeStores',
  subjects: ['folder', 'folders'],
  output: 'merge',
  async call(call) {
    const [folder, others = []] = call.subjects as [string, readonly string[] | undefined];
    checkList('folders', 'a list of folders', others);
    const options: MergeOptions = toOptions(call);
    const result = await mergeStores(folder, others, { ...options, systems: call.systems });
    return {
      json: report.createMergeJson(result),
      html: (text) => renderText(report.formatMergeSheet(result, report.PLAIN_STYLE), folder, text),
    };
  },
};

const verify: FunctionDeclaration = {
  library: 'verifyStore',
  subjects: ['folder'],
  output: 'verify',
  async call(call) {
    const [folder] = call.subjects as [string];
    const began = performance.now();
    const result = await verifyStore(folder, { ...(toOptions(call) as VerifyOptions), systems: call.systems });
    const seconds = (performance.now() - began) / 1000;
    return {
      json: report.createVerifyJson(result),
      html: (text) => renderText(report.formatVerifySheet(result, report.PLAIN_STYLE, 'cells', seconds), folder, text),
    };
  },
};

/** Functions by name: the name of the command in snake case. */
export const FUNCTIONS: Readonly<Record<string, FunctionDeclaration>> = {
  exact,
  run: runScenario,
  rare,
  compare: compareScenarios,
  compare_rules: compareTwoRules,
  sensitivity,
  balance: balanceFields,
  balance_scenarios: balanceProblem,
  fit,
  find,
  replay: replayBattle,
  best_response: bestResponse,
  equilibrium,
  exploitability,
  matchup: matchupArmies,
  certify_matchup: certifyArmies,
  sweep,
  create_store: createSweepStore,
  estimate_sweep: estimate,
  merge,
  verify,
  check: checkFiles,
  check_expectations: checkExpectationFiles,
};
