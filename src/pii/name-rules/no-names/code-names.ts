/** Projects, hosts and releases that are called after scientists, artists and gods: `Edison is paused`, beside `Project Merlin`. */
import { lean } from '../../patterns/lean.js';
import { haveListed, mayBeListed } from '../words-beside.js';

/** Nobody of today is called so by this name alone, and things of a firm often are. */
const FAMOUS = new Set(
  (
    'Edison Galileo Newton Einstein Tesla Curie Darwin Kepler Copernicus Hubble Faraday Maxwell Planck Bohr Fermi Feynman Hawking Turing Lovelace Babbage Hopper Euler Gauss Leibniz Fourier Laplace ' +
    'Archimedes Euclid Pythagoras Aristotle Plato Socrates Hypatia Leonardo Michelangelo Raphael Donatello Picasso Rembrandt Vermeer Monet Mozart Beethoven Vivaldi Chopin Magellan Columbus Shackleton Amundsen Gagarin Armstrong Nansen ' +
    'Merlin Lancelot Galahad Gandalf Frodo Sauron Zeus Hermes Athena Apollo Artemis Hades Poseidon Prometheus Odysseus Achilles Hercules Icarus Pandora Odin Thor Loki Freya Osiris Anubis Vishnu Pegasus Phoenix Spock Kirk Picard Yoda Vader'
  ).split(' '),
);
haveListed(FAMOUS);
const OF_WORK = lean(
  /(?<!\p{L})(?:[Pp]rojects?|[Pp]rojekte?|[Pp]rojets?|[Pp]royectos?|[Pp]rogett[oi]|code ?names?|codenamed|dashboards?|clusters?|servers?|hosts?|nodes?|VMs?|pipelines?|services?|releases?|sprints?|milestones?|rollouts?|migrations?|staging|backlog|modules?|repos?|instances?|deploy(?:s|ed|ment)?|environments?|queues?|sandbox|pilot|prototypes?|satellites?|telescopes?|probes?|printers?|meeting rooms?)(?!\p{L})/u,
);
const AROUND_UNITS = 70;

/** Whether one word is the name of some work, by what the words around speak of. */
export function isCodeName(text: string, start: number, end: number, found: string): boolean {
  if (!mayBeListed(text, start) || !FAMOUS.has(found)) return false;
  return (
    OF_WORK.test(text.slice(Math.max(0, start - AROUND_UNITS), start)) ||
    OF_WORK.test(text.slice(end, end + AROUND_UNITS))
  );
}
