/** The form of names or ids that an API accepts. */
export interface NameBound {
  longest: number;
  /** The characters that are not allowed. */
  others: RegExp;
  /** The beginning that is required. */
  begin?: RegExp;
  /** Set where the length must be exactly `longest`. */
  exact?: true;
}
