import type { RedeemedLink } from './visit-calls.ts';

export function Rating(props: {
  kind: RedeemedLink['feedback'];
  label: string;
  rating: number | undefined;
  disabled: boolean;
  onRate: (rating: number) => void;
}) {
  const { kind, rating = 0 } = props;
  if (kind === 'off') return null;
  return (
    <fieldset className={`rating ${kind}`}>
      <legend className="unseen">{props.label}</legend>
      {choices[kind].map(({ value, name, shown }) => (
        <button
          key={value}
          type="button"
          className="small"
          aria-label={name}
          aria-pressed={value === rating}
          data-filled={kind === 'stars' && value <= rating}
          disabled={props.disabled}
          onClick={() => props.onRate(value)}
        >
          {kind === 'stars' ? (value <= rating ? '★' : '☆') : shown}
        </button>
      ))}
      <span role="status" className="hint">
        {rating > 0 && 'Thank you.'}
      </span>
    </fieldset>
  );
}

const choices = {
  stars: [1, 2, 3, 4, 5].map((value) => ({
    value,
    name: value === 1 ? '1 star' : `${value} stars`,
    shown: '☆',
  })),
  thumbs: [
    { value: 5, name: 'Helpful', shown: 'Helpful' },
    { value: 1, name: 'Not helpful', shown: 'Not helpful' },
  ],
} as const;
