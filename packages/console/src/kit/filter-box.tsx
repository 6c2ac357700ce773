/**
 * Escape first clears the text, then leaves the field. Screen readers announce the number of
 * results.
 */
export function FilterBox(props: {
  label: string;
  value: string;
  found: string;
  onChange: (text: string) => void;
}) {
  return (
    <div className="filter">
      <input
        type="search"
        aria-label={props.label}
        placeholder={props.label}
        value={props.value}
        onChange={(event) => props.onChange(event.target.value)}
        onKeyDown={(event) => {
          if (event.key !== 'Escape') return;
          event.preventDefault();
          if (props.value === '') event.currentTarget.blur();
          else props.onChange('');
        }}
      />
      <kbd>/</kbd>
      <span className="hint" role="status">
        {props.value === '' ? '' : props.found}
      </span>
    </div>
  );
}

/** A list with at most this many items gets no filter, because reading the whole list is faster. */
export const shortListLength = 6;
