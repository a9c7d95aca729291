/** What other modules may use of tell. */

export { balanceJson, balanceSheet, balanceTable, balanceVerdict, reachOf, shownSettings, trustOf } from './balance.ts';
export { bestSheet } from './best.ts';
export { cardsSheet } from './cards.ts';
export { type Entry, entryOf, systemList, systemSheet } from './catalogue.ts';
export { type CheckedFile, checkedJson, checkedLine, checkedMarkdown } from './checked.ts';
export { columnsSheet } from './columns-sheet.ts';
export { compareSheet, pairVerdict } from './comparison.ts';
export { type Conformed, conformJson, conformSheet, isGood } from './conform.ts';
export { differenceTables, diffSheet, exactGap, rangeNotes } from './diff.ts';
export { exactMetricTable, exactOutcomeTable, metricTable, outcomeTable } from './estimates.ts';
export {
  complaints,
  expectationsAnnotations,
  expectationsJson,
  expectationsJUnit,
  expectationsMarkdown,
  expectationsSheet,
  type JudgedFile,
} from './expectations.ts';
export { accepts, countOf } from './fields.ts';
export {
  decimalsOf,
  endsText,
  inPercent,
  intervalText,
  knownTo,
  placed,
  SHARE,
  scaleOf,
  signed,
  valueText,
  wantedScaleOf,
} from './figure.ts';
export { coverageTable, foundSheet } from './found.ts';
export { type Annotation, inputAnnotations, workflowCommand } from './github.ts';
export { givenTable } from './given.ts';
export {
  cardsJson,
  compareJson,
  coverageJson,
  diffJson,
  exactJson,
  foundJson,
  type Label,
  replayJson,
  runJson,
} from './json.ts';
export { keptJson } from './kept.ts';
export { linkOf, readLink } from './link/link.ts';
export { type Effort, FILE_NAME, plainOf, type Question, questionOf, safeName, TEXT_LIMIT } from './link/question.ts';
export { type Marks, type MarkTone, marksOf } from './marks.ts';
export { armiesText } from './odds/armies.ts';
export { oddsOf, type PlacedPart, placedParts } from './odds/bar.ts';
export { roughPercent, sharePercent } from './odds/chances.ts';
export { counted } from './odds/counted.ts';
export { type Counted, type Lead, type Leading, leadOf } from './odds/lead.ts';
export { LUCK_ORDER, type LuckOption, type LuckTold, luckOf, luckOptions } from './odds/luck.ts';
export { clauseOf } from './odds/names.ts';
export { questionsOf, type WhatIfTable, whatIfTables } from './odds/what-if.ts';
export { optimalJson, optimalSheet } from './optimal.ts';
export { rulesText } from './origin.ts';
export { linesOf, printSheet, type SheetBlock, withWords } from './parts.ts';
export { balancePicture } from './pictures/balance.ts';
export { colourIn } from './pictures/colours.ts';
export { type Dot, dotsSpec } from './pictures/dots.ts';
export { type Line, linesPicture } from './pictures/lines.ts';
export { mapPicture } from './pictures/map.ts';
export type { Picture } from './pictures/picture.ts';
export { sensitivityPicture } from './pictures/sensitivity.ts';
export { type Drawer, drawn } from './pictures/svg.ts';
export { SINGLE } from './pictures/theme.ts';
export { prismFiles, prismLines } from './prism.ts';
export { rolloutJson, rolloutSheet } from './rollout.ts';
export { OUTPUT_NAMES, outputJsonSchema, outputOf } from './schemas/index.ts';
export { answered, methodOf, sensitivityJson, sensitivitySheet } from './sensitivity.ts';
export { type Setting, settingsOf } from './settings.ts';
export { mergeJson, mergeSheet, preparedJson, preparedSheet, shardJson, shardSheet } from './shards.ts';
export { CARD, cardSvg } from './share/card.ts';
export { chatText } from './share/chat.ts';
export { headsOf, odds, type Told, toldOf, toldText } from './share/told.ts';
export { exactSheet, runSheet } from './sheet.ts';
export { type ShownSide, sideIn, sideNamed, sidesOf } from './sides.ts';
export { stepParts } from './steps.ts';
export { notReached, stoppingLines } from './stopping.ts';
export { reportJson } from './store/json.ts';
export { fileNames, footerOf, type Report, reportOf } from './store/report.ts';
export { storeSheet } from './store/sheet.ts';
export { type Passage, passagesOf, story } from './story.ts';
export { gather, type Tile } from './survey/gather.ts';
export { outcomeText } from './survey/outcomes.ts';
export { headOf, keyOf, placeText, type Quantity, readingText, titleOf } from './survey/quantity.ts';
export { type View, viewOf } from './survey/view.ts';
export { estimateJson, estimateSheet, sweepJson, sweepSheet } from './sweep.ts';
export { clean, cleanLines, cleanText } from './text/clean.ts';
export { headLine } from './text/column.ts';
export { commandLine, type GivenOptions, lastOf } from './text/command.ts';
export { duration, exactly, fixed, grouped, plain, significant, threadsText } from './text/digits.ts';
export { escaped } from './text/escape.ts';
export { type Bin, binned, mixed, totalOf, weightIn } from './text/histogram.ts';
export { type HowFar, type LongProgress, longLine, progressLine } from './text/progress.ts';
export { sentence } from './text/sentence.ts';
export { columns, type Look, PLAIN } from './text/table.ts';
export { unbroken } from './text/unbroken.ts';
export { TABLED } from './topics.ts';
export { verifyJson, verifySheet } from './verify.ts';
