/** The filter of a page. Escape empties it, then leaves it; the number of results is announced. */
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

/** A list this short is read faster than filtered. */
export const shortListLength = 6;
