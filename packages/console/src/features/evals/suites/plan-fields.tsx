import type { ArgumentPath } from '../../../kit/arguments/argument-values.ts';
import { ValueChoice, type ValueForm, ValueNumber } from './value-fields.tsx';

const numbers = [
  {
    name: 'healthyRate',
    label: 'Healthy pass rate',
    hint: 'The share of trials that pass when all is well, such as 0.9.',
  },
  { name: 'drop', label: 'Drop to find', hint: 'The smallest drop that must fail, such as 0.2.' },
  {
    name: 'falseFail',
    label: 'False fails',
    hint: 'How often a healthy case may fail (default: 0.05).',
  },
  {
    name: 'miss',
    label: 'Misses',
    hint: 'How often a case with that drop may pass (default: 0.1).',
  },
  { name: 'look', label: 'Trials between two looks', hint: '1 to 20 (default: 4).' },
] as const;

export function PlanFields({ form, path }: { form: ValueForm; path: ArgumentPath }) {
  const problem = form.problems[path.join('.')];
  return (
    <details className="further">
      <summary>As many trials as the answer needs</summary>
      <p className="hint">
        A plan stops as soon as the answer is clear. It takes the place of the two fields above.
      </p>
      {problem !== undefined && (
        <p className="problem" role="alert">
          {problem}
        </p>
      )}
      {numbers.map(({ name, label, hint }) => (
        <ValueNumber key={name} form={form} label={label} hint={hint} path={[...path, name]} />
      ))}
      <ValueChoice
        form={form}
        label="False fails count for"
        path={[...path, 'scope']}
        none="Each case"
        options={[['run', 'The whole run, shared by its cases']]}
      />
    </details>
  );
}
