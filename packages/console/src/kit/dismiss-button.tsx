interface DismissButtonProps {
  readonly isDismissed: boolean;
  readonly dismissing: {
    readonly isPending: boolean;
    readonly error: Error | null;
    readonly mutate: (dismissed: boolean) => void;
  };
}

export function DismissButton({ isDismissed, dismissing }: DismissButtonProps) {
  return (
    <div>
      <button
        type="button"
        className="small"
        disabled={dismissing.isPending}
        onClick={() => dismissing.mutate(!isDismissed)}
      >
        {isDismissed ? 'Show again' : 'Dismiss'}
      </button>
      <div role="alert">
        {dismissing.error !== null && <p className="form-problem">{dismissing.error.message}</p>}
      </div>
    </div>
  );
}
