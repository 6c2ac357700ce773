/**
 * Shows how many trials a drop of the pass rate needs to be detected, and their cost. Nothing is
 * started.
 */
import type { EvalSuitePlan } from '@proofmark/contract';
import { cleanText, defaultFalseFail, defaultMiss } from '@proofmark/domain';
import { forecastSentences, forecastTitle, runForecastSentences } from '@proofmark/report';
import { useState } from 'react';
import { useChange } from '../../../kit/data/operations.ts';
import { Field } from '../../../kit/field.tsx';
import { Form } from '../../../kit/form.tsx';
import type { SuiteIds } from '../data/eval-suites.ts';
import { keepPercent } from '../runs/words.tsx';

export function PlanPanel({ ids }: { ids: SuiteIds }) {
  const plan = useChange('planEvalSuite', (drop: number) => ({ ...ids, body: { drop } }), {
    readAgain: [],
  });
  const [percent, setPercent] = useState('10');
  const [attempt, setAttempt] = useState(0);
  const drop = Number(percent) / 100;
  const isRate = percent.trim() !== '' && drop > 0 && drop < 1;
  const problem = attempt > 0 && !isRate ? 'Give a number of percent below 100.' : undefined;
  const ask = () => {
    setAttempt(attempt + 1);
    if (isRate && !plan.isPending) plan.mutate(drop);
  };
  return (
    <section aria-labelledby="plan">
      <h2 id="plan">Trials for a drop</h2>
      <Form
        label="Trials for a drop"
        problem={problem ?? plan.error?.message}
        attempt={attempt}
        onSubmit={ask}
        buttons={
          <button type="submit" disabled={plan.isPending}>
            Plan
          </button>
        }
      >
        <Field label="Drop of the pass rate, in percent" hint="Nothing is started or changed.">
          {(control) => (
            <input
              {...control}
              inputMode="decimal"
              autoComplete="off"
              value={percent}
              onChange={({ target }) => setPercent(target.value)}
            />
          )}
        </Field>
      </Form>
      {plan.data !== undefined && <PlanForecast plan={plan.data} />}
    </section>
  );
}

function PlanForecast({ plan }: { plan: EvalSuitePlan }) {
  const terms = { drop: plan.drop, falseFail: defaultFalseFail, miss: defaultMiss };
  return (
    <div role="status" className="plan-told">
      <p>{keepPercent(forecastTitle(terms))}</p>
      <p>{keepPercent(runForecastSentences(plan.run).join(' '))}</p>
      <ul>
        {plan.cases.map((one) => (
          <li key={`${one.testCaseId} ${one.model}`}>
            <bdi>{cleanText(one.title, false)}</bdi>
            {one.model !== null && (
              <>
                {' on '}
                <bdi>{cleanText(one.model, false)}</bdi>
              </>
            )}
            <p className="hint">{keepPercent(forecastSentences(one).join(' '))}</p>
          </li>
        ))}
      </ul>
    </div>
  );
}
