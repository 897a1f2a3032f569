/**
 * Remembers a value with an object that lives only as long as a request, as a property that nobody else can name. An entry of a
 * WeakMap costs up to a microsecond in each collection of young objects, and where its value refers to its key, both stay until a full
 * collection. Only for objects that nobody copies member by member.
 */
export class Attached<Value> {
  readonly #name = Symbol('attached');

  get(object: object): Value | undefined {
    return (object as Record<symbol, Value | undefined>)[this.#name];
  }

  set(object: object, value: Value): void {
    (object as Record<symbol, Value>)[this.#name] = value;
  }
}
