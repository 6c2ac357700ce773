import {
  type CaseTitles,
  caseNameInText,
  type Decision,
  establishVerdict,
  type RunRecord,
  undecidedWords,
} from '@proofmark/domain';
import { validitySentence } from './validity-sentence.ts';

const mostNamed = 5;

export function whyNoVerdict(
  run: RunRecord,
  titles: CaseTitles | null | undefined,
): string | undefined {
  const established = establishVerdict(run);
  switch (established.verdictSource) {
    case 'legacy':
      return undefined;
    case 'policyV2':
      return established.decision.verdict === 'inconclusive'
        ? whyInconclusive(established.decision, titles ?? {})
        : undefined;
    case 'none': {
      const { reason, detail } = established.undecided;
      if (reason === 'runNotTerminal') return undefined;
      const recorded = detail ?? run.integrityError;
      return typeof recorded === 'string' && recorded !== ''
        ? recorded
        : `No verdict: ${undecidedWords[reason]}.`;
    }
  }
}

function whyInconclusive(decision: Decision, titles: CaseTitles): string {
  const sentences = decision.reasons.map((reason) => validitySentence(reason, decision).join(''));
  const ungraded = [
    ...new Set(
      decision.cases
        .filter(({ eligibleTrials }) => eligibleTrials === 0)
        .map(({ caseId }) => caseNameInText(caseId, titles)),
    ),
  ];
  if (ungraded.length > 0) {
    const more = ungraded.length - mostNamed;
    const named = ungraded.slice(0, mostNamed).join(', ');
    sentences.push(`Without a graded trial: ${named}${more > 0 ? ` and ${more} more` : ''}.`);
  }
  return sentences.join(' ');
}
