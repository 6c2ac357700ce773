import type { EvalRunStatistics } from '@proofmark/contract';
import {
  flakinessSentence,
  historySentences,
  omittedRunsSentence,
  passHatSentence,
  toolSurfaceWords,
} from '@proofmark/report';
import { keepPercent } from './words.tsx';

type Row = EvalRunStatistics['cases'][number];

export function VariantSureness(props: { statistics: EvalRunStatistics; row: Row | undefined }) {
  const { statistics, row } = props;
  if (row === undefined) return null;
  const { history, flakiness } = row;
  const sentences = [
    ...(history === null ? [] : historySentences(history, row.model)),
    omittedRunsSentence(statistics.omittedRuns),
    ...(statistics.k === null ? [] : [passHatSentence(statistics.k, row)]),
    flakiness === null
      ? toolSurfaceWords[statistics.toolSurface.state]
      : flakinessSentence(flakiness),
  ];
  return <p className="hint sureness">{keepPercent(sentences.filter(Boolean).join(' '))}</p>;
}

/**
 * A row names its model only if the run used several. With one model, the case id alone identifies
 * the statistics.
 */
export function statisticsOf(
  statistics: EvalRunStatistics | undefined,
  row: {
    readonly caseId: string;
    readonly executionVariant?:
      | { readonly model: string; readonly provider?: string | undefined }
      | undefined;
  },
): Row | undefined {
  const { caseId, executionVariant: variant } = row;
  return statistics?.cases.find(
    (one) =>
      one.caseId === caseId &&
      (variant === undefined ||
        (one.model === variant.model && (one.provider ?? undefined) === variant.provider)),
  );
}
