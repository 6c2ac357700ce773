/**
 * Rewords problems in the terms of a suite file where the API has other terms: a file has
 * `arguments` where the API has `args`, and a list has dashes.
 */
import type { ValueProblem } from '@proofmark/domain';

export function inFileWords(problems: readonly ValueProblem[]): ValueProblem[] {
  const worded = problems.map((problem) => callArguments(problem) ?? dashes(problem));
  const key = ({ path, message }: ValueProblem) => JSON.stringify([path, message]);
  return [...new Map(worded.map((problem) => [key(problem), problem])).values()];
}

/**
 * All problems with the API field `args` of one assertion get the same message about `arguments`.
 */
function callArguments({ path, message }: ValueProblem): ValueProblem | undefined {
  const at = path.indexOf('args', Math.max(0, path.length - 2));
  if (
    at === -1 ||
    !/^(args is missing|args\.args is missing|Arguments beside args)/.test(message)
  ) {
    return undefined;
  }
  return message.startsWith('args is')
    ? {
        path: path.slice(0, at),
        message: 'arguments is missing; arguments: {} matches every call.',
      }
    : {
        path: path.slice(0, at + 1),
        message: 'Write arguments: { … } in place of args, and argumentMatching beside it.',
      };
}

function dashes(problem: ValueProblem): ValueProblem {
  if (problem.message !== 'This must be a list, not an object with keys.') return problem;
  const message = 'This must be a list; begin every entry with a dash, as in - id: ….';
  return { ...problem, message: problem.path.at(-1) === 'cases' ? message : noEntry };
}

const noEntry = 'This must be a list; begin every entry with a dash.';
