/**
 * Draws the course of a trial plan: a point after each look (group of trials), between the limits
 * for passing and failing. Hidden from screen readers, because the sentence below contains the
 * result.
 */
import type { CarriedOutPlan } from '@proofmark/domain';
import { planErrorSentence, planStopSentence } from '@proofmark/report';
import { keepPercent } from './words.tsx';

const width = 200;
const height = 48;
const margin = 4;

export function PlanOfCase({ plan }: { plan: CarriedOutPlan }) {
  const errs = plan.stop === 'deterministic' ? '' : ` By its plan, ${planErrorSentence(plan)}.`;
  const stopped = planStopSentence(plan);
  const sentence = `${stopped.charAt(0).toUpperCase()}${stopped.slice(1)}.${errs}`;
  return (
    <div className="plan">
      {plan.stop !== 'deterministic' && plan.walk.length > 0 && <PlanWalk plan={plan} />}
      <p className="hint sureness">{keepPercent(sentence)}</p>
    </div>
  );
}

function PlanWalk({ plan }: { plan: CarriedOutPlan }) {
  const { walk, lower, upper, cap } = plan;
  const levels = [...walk.map(({ l }) => l), lower, upper, 0];
  const top = Math.max(...levels);
  const bottom = Math.min(...levels);
  const x = (trials: number) => margin + (trials / cap) * (width - 2 * margin);
  const y = (l: number) => margin + ((top - l) / (top - bottom)) * (height - 2 * margin);
  const points = [{ trials: 0, l: 0 }, ...walk].map(({ trials, l }) => `${x(trials)},${y(l)}`);
  return (
    <svg className="plan-walk" viewBox={`0 0 ${width} ${height}`} aria-hidden="true">
      <line className="plan-fails" x1="0" x2={width} y1={y(upper)} y2={y(upper)} />
      <line className="plan-passes" x1="0" x2={width} y1={y(lower)} y2={y(lower)} />
      <polyline className="plan-course" points={points.join(' ')} />
      {walk.map(({ trials, l }) => (
        <circle key={trials} className="plan-look" cx={x(trials)} cy={y(l)} r="2.5" />
      ))}
    </svg>
  );
}
