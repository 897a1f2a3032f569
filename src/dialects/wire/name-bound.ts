/** What an API takes as a name or an id. */
export interface NameBound {
  longest: number;
  /** The characters that it may not hold. */
  others: RegExp;
  /** What it must begin with. */
  begin?: RegExp;
  /** It has exactly `longest` characters. */
  exact?: true;
}
