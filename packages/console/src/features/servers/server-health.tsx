import type { ProjectServer } from '@proofmark/contract';
import { serverHealthWords } from '@proofmark/domain';

const signs = {
  ready: ['✓', 'pass'],
  partial: ['–', 'hold'],
  oauth_required: ['!', 'hold'],
  error: ['✕', 'fail'],
} as const;

export function ServerHealthSign(props: { health: NonNullable<ProjectServer['health']> }) {
  const { status } = props.health;
  const [sign, tone] = signs[status];
  return (
    <span className="server-health" data-health={status}>
      <span className={`tone-${tone}`} aria-hidden="true">
        {sign}
      </span>{' '}
      {serverHealthWords[status]}
    </span>
  );
}
