import {
  count,
  creditsText,
  grouped,
  listed,
  modelNameText,
  type WorstOfJourneyRun,
} from '@proofmark/domain';

export interface ShownJourneyEstimate extends WorstOfJourneyRun {
  /** Null without a limit. */
  readonly launchesLeftToday: number | null;
  readonly creditsLeft: number | null;
}

export function journeyEstimateWords(estimate: ShownJourneyEstimate): string[] {
  const { sessions, targets, maxTurns, assistantModels, personaModel, judgeModel } = estimate;
  const judge = judgeModel === null ? 'nobody judges' : `${modelNameText(judgeModel)} judges`;
  return [
    `${count(sessions, 'session')} on ${count(targets, 'target')}, at most ${count(maxTurns, 'turn')} each.`,
    `The assistant is ${listed(assistantModels.map(modelNameText))}, the user is ${modelNameText(personaModel)}; ${judge}.`,
    ...costSentences(estimate),
    ...leftSentences(estimate, 1),
  ];
}

export function journeyEstimatesWords(estimates: readonly ShownJourneyEstimate[]): string[] {
  const [first] = estimates;
  if (first === undefined) return [];
  const all = (names: 'unpricedModels' | 'ownModels') => [
    ...new Set(estimates.flatMap((one) => one[names])),
  ];
  const sum = (numbers: readonly number[]) => numbers.reduce((total, one) => total + one, 0);
  const together = {
    unpricedModels: all('unpricedModels'),
    ownModels: all('ownModels'),
    worstCaseCredits: estimates.some(({ worstCaseCredits }) => worstCaseCredits === null)
      ? null
      : sum(estimates.map(({ worstCaseCredits }) => worstCaseCredits ?? 0)),
  };
  return [
    `${count(sum(estimates.map(({ sessions }) => sessions)), 'session')} in ${count(estimates.length, 'run')}.`,
    ...costSentences(together),
    ...leftSentences({ ...first, ...together }, estimates.length),
  ];
}

function costSentences(
  estimate: Pick<ShownJourneyEstimate, 'worstCaseCredits' | 'unpricedModels' | 'ownModels'>,
): string[] {
  const { worstCaseCredits: worst, unpricedModels, ownModels } = estimate;
  const own =
    ownModels.length === 0
      ? []
      : [
          `The organization pays its own provider for ${listed(ownModels.map(modelNameText))}, which is not counted here.`,
        ];
  if (worst === null) {
    return [`No price is known for ${listed(unpricedModels.map(modelNameText))}.`, ...own];
  }
  if (worst > 0) return [`It costs at most ${creditsText(worst)}.`, ...own];
  return own.length === 0 ? ['This costs nothing.'] : ['This costs no credits.', ...own];
}

function leftSentences(
  estimate: Pick<ShownJourneyEstimate, 'launchesLeftToday' | 'creditsLeft' | 'worstCaseCredits'>,
  launches: number,
): string[] {
  const { launchesLeftToday, creditsLeft, worstCaseCredits } = estimate;
  const left = [
    ...(launchesLeftToday === null ? [] : [launchesText(launchesLeftToday)]),
    ...(creditsLeft === null ? [] : [creditsText(creditsLeft)]),
  ];
  return [
    ...(left.length === 0 ? [] : [`Left today: ${listed(left)}.`]),
    ...(launchesLeftToday !== null && launchesLeftToday < launches
      ? ['That is not enough launches.']
      : []),
    ...(creditsLeft !== null && (worstCaseCredits ?? 0) > creditsLeft
      ? [
          'The credits may not be enough: sessions that are open when they are used up are not played.',
        ]
      : []),
  ];
}

function launchesText(launches: number): string {
  return launches === 1 ? '1 launch' : `${grouped(launches)} launches`;
}
