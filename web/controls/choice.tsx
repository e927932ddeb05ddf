interface Props<T extends string> {
  readonly label: string;
  readonly value: T;
  readonly options: Readonly<Record<string, string>>;
  /** Reasons, by the option that cannot be chosen. */
  readonly unavailable?: Readonly<Record<string, string>>;
  readonly onChoose: (value: T) => void;
}

export function Choice<T extends string>({ label, value, options, unavailable = {}, onChoose }: Props<T>) {
  return (
    <select
      aria-label={label}
      value={value}
      onChange={({ currentTarget }) => onChoose(currentTarget.value as T)}
    >
      {Object.entries(options).map(([option, text]) => (
        <option key={option} value={option} selected={option === value} disabled={option in unavailable}>
          {unavailable[option] ? `${text} (${unavailable[option]})` : text}
        </option>
      ))}
    </select>
  );
}
