/**
 * The text filter of a page. Escape first clears the text, then leaves the field. Screen readers
 * announce the number of results.
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

/** A list of at most this many items gets no filter, since reading the whole list is faster. */
export const shortListLength = 6;
