import { nameAtPath } from '../assertions/json-pointer.ts';
import type { Mutant } from './mutant.ts';
import type { MutantOutcome } from './mutant-outcome.ts';
import { renamed } from './mutate-listing.ts';

export function mutantWords({ operator, toolName, path, otherToolName }: Mutant): string {
  const tool = JSON.stringify(toolName);
  const place = path === undefined || path === '' ? 'the answer' : JSON.stringify(path);
  const parameter = nameAtPath(path ?? '');
  const named = JSON.stringify(parameter);
  switch (operator) {
    case 'tool-missing':
      return `The tool ${tool} is missing.`;
    case 'description-blank':
      return `The tool ${tool} has no description.`;
    case 'descriptions-exchanged':
      return `The tools ${tool} and ${JSON.stringify(otherToolName)} have swapped descriptions.`;
    case 'parameter-renamed':
      return `The parameter ${named} of ${tool} is renamed to ${JSON.stringify(renamed(parameter))}.`;
    case 'parameter-required':
      return `The parameter ${named} of ${tool} is required.`;
    case 'error':
      return `The tool ${tool} answers with an error.`;
    case 'empty':
      return `The tool ${tool} returns an empty answer.`;
    case 'truncated':
      return `Half of the answer of the tool ${tool} is missing.`;
    case 'previous-answer':
      return `The tool ${tool} repeats its previous answer.`;
    case 'number-off-by-one':
      return path === undefined
        ? `The first number in the answer of the tool ${tool} is one too high.`
        : `The number at ${place} in the answer of ${tool} is one too high.`;
    case 'field-missing':
      return `The field ${place} is missing in the answer of ${tool}.`;
    case 'wrong-type':
      return `The answer of ${tool} has another type at ${place}.`;
    case 'slow':
      return `The tool ${tool} does not answer in time.`;
  }
}

export const outcomeWords: Readonly<Record<MutantOutcome, string>> = {
  survived: 'Nobody noticed',
  undecided: 'Not decided',
  killed: 'Noticed',
  equivalent: 'Nothing to notice',
};
