/** The cases of a suite, to be read: what each asks, how often, and by which models. */
import { count } from '@proofmark/domain';
import type { EvalCase } from '../../data/eval-suites.ts';
import { callText } from '../../evals/call-differences.ts';

type Step = EvalCase['steps'][number];

export function CaseList({ cases }: { cases: readonly EvalCase[] }) {
  return (
    <ul className="case-list">
      {cases.map((one) => (
        <li key={one.id} className="panel">
          <h3>
            <bdi>{one.title}</bdi>
            {one.isNegative && <span className="tag">no tool may be called</span>}
            {one.disabled && <span className="tag">left out of runs</span>}
          </h3>
          <ol className="case-steps">
            {one.steps.map((step) => (
              <li key={step.id}>
                <span className="hint">{stepNames[step.kind]}</span> <bdi>{stepText(step)}</bdi>
              </li>
            ))}
          </ol>
          <p className="hint">
            {`${count(one.iterations, 'trial')} in each run, ${modelWords(one.models)}`}
          </p>
        </li>
      ))}
    </ul>
  );
}

const stepNames = { prompt: 'Say', toolCall: 'Call', interact: 'Do', assert: 'Check' } as const;

function stepText(step: Step): string {
  switch (step.kind) {
    case 'prompt':
      return step.prompt;
    case 'toolCall':
      return `${step.serverName}: ${callText(step)}`;
    case 'interact':
      return `${step.toolName}: ${JSON.stringify(step.action)}`;
    case 'assert':
      return assertionText(step.assertion);
  }
}

function assertionText(assertion: Extract<Step, { kind: 'assert' }>['assertion']): string {
  if ('type' in assertion && assertion.type === 'toolCalledWith') {
    const { toolName, args } = assertion;
    return `toolCalledWith ${callText({ toolName, arguments: args.args })}`;
  }
  const { type, kind, ...rest } = assertion as { type?: string; kind?: string };
  const facts = Object.entries(rest).map(([name, value]) => `${name} ${JSON.stringify(value)}`);
  return [type ?? kind ?? 'check', ...facts].join(', ');
}

function modelWords(models: EvalCase['models']): string {
  if (models.length === 0) return 'with the model of the suite';
  return `with ${models.map(({ model }) => model).join(', ')}`;
}
