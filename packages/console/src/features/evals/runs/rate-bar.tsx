/**
 * A rate as a bar, with its 95 % interval as two ticks. Hidden from screen readers, because the
 * text beside it contains the same numbers.
 */
export function RateBar(props: {
  rate: number;
  interval?: { lower: number; upper: number } | undefined;
}) {
  const at = (fraction: number) => Math.min(99, Math.max(1, fraction * 100));
  return (
    <svg className="rate-bar" viewBox="0 0 100 14" preserveAspectRatio="none" aria-hidden="true">
      <rect className="rate-ground" x="0" y="3" width="100" height="8" rx="2" />
      <rect className="rate-fill" x="0" y="3" width={props.rate * 100} height="8" rx="2" />
      {(props.interval ? [props.interval.lower, props.interval.upper] : []).map((end, index) => (
        <line
          // biome-ignore lint/suspicious/noArrayIndexKey: the lower and the upper end.
          key={index}
          className="rate-tick"
          x1={at(end)}
          x2={at(end)}
          y1="0"
          y2="14"
        />
      ))}
    </svg>
  );
}
