"""A tensor that would stay behind is found where it meets others, and nowhere else."""

from __future__ import annotations

from collections.abc import Callable

import pytest
import torch
from torch import Tensor, nn

from grader.model.observation import Frame
from grader.worker.slots import loose
from grader.worker.strays import Watching, apart, left_behind


class Head(nn.Module):
    """One head whose mask is a plain attribute, used in whatever way a test wants."""

    def __init__(self, use: Callable[[Tensor, Tensor], Tensor]) -> None:
        super().__init__()
        self.projection = nn.Linear(4, 4)
        self.mask = torch.triu(torch.ones(6, 6), 1).bool()
        self.use = use

    def forward(self, x: Tensor) -> Tensor:
        scores = self.projection(x) @ x.mT
        return self.use(scores, self.mask)


def met(use: Callable[[Tensor, Tensor], Tensor], module: nn.Module | None = None) -> set[str]:
    """The strays that a head computes with."""
    head = module or Head(use)
    watching = Watching(loose(head))
    with watching:
        head(torch.randn(2, 5, 4))
    return watching.met


@pytest.mark.parametrize(
    "use",
    [
        pytest.param(lambda s, mask: s.masked_fill(mask[:5, :5], -torch.inf), id="masked_fill"),
        pytest.param(lambda s, mask: s.masked_fill_(mask[:5, :5], -torch.inf), id="in place"),
        pytest.param(lambda s, mask: torch.where(mask[:5, :5], -torch.inf, s), id="where"),
        pytest.param(lambda s, mask: s + mask[:5, :5].float() * -1e9, id="additive"),
        pytest.param(lambda s, mask: s * ~mask[:5, :5], id="product"),
        pytest.param(lambda s, mask: s.masked_fill(mask.T[:5, :5].mT.unsqueeze(0), -1e9), id="views of it"),
        pytest.param(lambda s, mask: torch.cat([s, mask[:5, :5].float().expand(2, 5, 5)]), id="in a list"),
        pytest.param(
            lambda s, mask: nn.functional.scaled_dot_product_attention(s, s, s, attn_mask=mask[:5, :5]), id="by keyword"
        ),
        pytest.param(lambda s, mask: s[:, mask[0, :5]], id="as an index"),
    ],
)
def test_a_stray_that_meets_another_tensor_is_found(use: Callable[[Tensor, Tensor], Tensor]) -> None:
    assert met(use) == {"mask"}


@pytest.mark.parametrize(
    "use",
    [
        pytest.param(lambda s, mask: s, id="not at all"),
        pytest.param(lambda s, mask: s * mask.shape[0], id="for its shape"),
        pytest.param(lambda s, mask: s * int(mask.sum()), id="as a number"),
        pytest.param(lambda s, mask: s.masked_fill(mask.to(s.device)[:5, :5], -1e9), id="to a device"),
        pytest.param(lambda s, mask: s.masked_fill(mask[:5, :5].to(s.device), -1e9), id="a part of it to a device"),
        pytest.param(lambda s, mask: s + mask[:5, :5].to(device=s.device, dtype=s.dtype), id="to a device and a type"),
        pytest.param(lambda s, mask: s + mask[:5, :5].cpu(), id="cpu"),
        pytest.param(lambda s, mask: s.masked_fill(s.new_ones(5, 5).bool(), -1e9), id="another one built here"),
    ],
)
def test_a_stray_that_meets_nobody_or_was_sent_there_is_no_harm(use: Callable[[Tensor, Tensor], Tensor]) -> None:
    assert met(use) == set()


@pytest.mark.parametrize(
    "use",
    [
        pytest.param(lambda s, mask: s + mask[:5, :5].type_as(s), id="type_as"),
        pytest.param(lambda s, mask: s + mask[:5, :5].to(s), id="to another tensor"),
        pytest.param(lambda s, mask: s + s.new_tensor(mask[:5, :5]), id="new_tensor"),
    ],
)
@pytest.mark.filterwarnings("ignore:To copy construct from a tensor")
def test_a_stray_that_was_sent_to_where_another_tensor_is_is_at_home(use: Callable[[Tensor, Tensor], Tensor]) -> None:
    assert met(use) == set()


def test_a_buffer_is_no_stray() -> None:
    head = Head(lambda s, mask: s.masked_fill(mask[:5, :5], -1e9))
    mask = head.mask
    del head.mask
    head.register_buffer("mask", mask)

    assert met(head.use, head) == set()


def test_a_number_kept_as_a_tensor_is_no_stray() -> None:
    head = Head(lambda s, mask: s)
    head.scale = torch.tensor(0.5)
    head.use = lambda s, mask: s * head.scale

    assert met(head.use, head) == set()


def test_a_stray_inside_a_submodule_is_called_by_its_path() -> None:
    outer = nn.Sequential(Head(lambda s, mask: s.masked_fill(mask[:5, :5], -1e9)))

    assert met(lambda s, mask: s, outer) == {"0.mask"}


def test_what_is_computed_from_strays_alone_is_astray() -> None:
    assert met(lambda s, mask: s + (mask.float() * 2).triu()[:5, :5].exp()) == {"mask"}


def test_watching_changes_no_result() -> None:
    head = Head(lambda s, mask: s.masked_fill(mask[:5, :5].to(s.device), -torch.inf))
    x = torch.randn(2, 5, 4)
    plain = head(x)

    with Watching(loose(head)):
        watched = head(x)

    assert torch.equal(plain, watched)


def test_a_tensor_without_storage_is_watched_without_harm() -> None:
    def use(scores: Tensor, mask: Tensor) -> Tensor:
        return torch.sparse.mm(torch.eye(5).to_sparse(), scores[0])

    assert met(use) == set()


class CheckingHead(Head):
    """Moves its mask when the input lies elsewhere."""

    def forward(self, x: Tensor) -> Tensor:
        if self.mask.device != x.device:
            self.mask = self.mask.to(x.device)
        return super().forward(x)


class MovingHead(Head):
    """Moves its mask together with its parameters."""

    def _apply(self, fn: Callable[[Tensor], Tensor], recurse: bool = True) -> MovingHead:
        super()._apply(fn, recurse)
        self.mask = fn(self.mask)
        return self


class CachingHead(Head):
    """Keeps a mask for each device, that of the CPU from the beginning."""

    def __init__(self, use: Callable[[Tensor, Tensor], Tensor]) -> None:
        super().__init__(use)
        self.masks = {torch.device("cpu"): self.mask}
        del self.mask

    def forward(self, x: Tensor) -> Tensor:
        if x.device not in self.masks:
            self.masks[x.device] = torch.triu(torch.ones(6, 6, device=x.device), 1).bool()
        return self.use(self.projection(x) @ x.mT, self.masks[x.device])


class TupleHead(Head):
    """Reaches its layer, which is registered, by way of a tuple."""

    def __init__(self, use: Callable[[Tensor, Tensor], Tensor]) -> None:
        super().__init__(use)
        self.layers = (self.projection,)

    def forward(self, x: Tensor) -> Tensor:
        return self.use(self.layers[0](x) @ x.mT, self.mask.to(x.device))


class OneWayHead(CheckingHead):
    """Cannot be copied, so it cannot be tried."""

    def __deepcopy__(self, memo: object) -> OneWayHead:
        raise RuntimeError("no copies")


@pytest.mark.parametrize(
    ("kind", "left"), [(Head, {"mask"}), (CheckingHead, set()), (MovingHead, set()), (OneWayHead, {"mask"})]
)
@pytest.mark.parametrize("name", ["masked_fill", "masked_fill_"])
def test_a_stray_that_comes_along_when_the_module_moves_is_not_left_behind(
    kind: type[Head], left: set[str], name: str
) -> None:
    head = kind(lambda s, mask: getattr(s, name)(mask[:5, :5], -1e9))
    x = torch.randn(2, 5, 4)
    with Watching(loose(head)) as watching:
        head(x)

    assert watching.met == {"mask"}
    assert left_behind(head, [x], watching.met) == left
    assert head.mask.device == x.device == torch.device("cpu")


def test_a_registered_layer_in_a_tuple_is_not_left_behind() -> None:
    head = TupleHead(lambda s, mask: s.masked_fill(mask[:5, :5], -1e9))
    x = torch.randn(2, 5, 4)
    with Watching(loose(head)) as watching:
        head(x)

    assert left_behind(head, [x], watching.met) == set()


def test_a_mask_kept_for_each_device_is_not_left_behind() -> None:
    head = CachingHead(lambda s, mask: s.masked_fill(mask[:5, :5], -1e9))
    x = torch.randn(2, 5, 4)
    with Watching(loose(head)) as watching:
        head(x)

    assert watching.met == {"masks.cpu"}
    assert left_behind(head, [x], watching.met) == set()


def test_a_mask_that_comes_along_is_not_left_behind_where_a_call_keeps_what_it_computed() -> None:
    def use(scores: Tensor, mask: Tensor) -> Tensor:
        head.last, head._seen = scores, [scores]  # parts of a graph
        return scores.masked_fill(mask[:5, :5], -1e9)

    head, x = CheckingHead(use), torch.randn(2, 5, 4)
    with Watching(loose(head)) as watching:
        head(x)

    assert not head.last.is_leaf
    assert left_behind(head, [x], watching.met) == set()


def test_where_nothing_was_met_nothing_is_left_behind() -> None:
    assert left_behind(Head(lambda s, mask: s), [], set()) == set()


MASK = torch.triu(torch.ones(6, 6), 1).bool()


class Layer(nn.Module):
    """Scores that are masked in whatever way a test wants."""

    def __init__(self, use: Callable[[Tensor], Tensor]) -> None:
        super().__init__()
        self.projection = nn.Linear(4, 4)
        self.use = use

    def forward(self, x: Tensor) -> Tensor:
        return self.use(self.projection(x) @ x.mT)


def attended(scores: Tensor, mask: Tensor) -> Tensor:
    return nn.functional.scaled_dot_product_attention(scores[:, None], scores[:, None], scores[:, None], mask)[:, 0]


def triangle(**options: torch.device) -> Tensor:
    return torch.triu(torch.ones(5, 5, **options), 1).bool()


@pytest.mark.parametrize(
    "use",
    [
        pytest.param(lambda s: s.masked_fill(triangle(), -torch.inf), id="made there"),
        pytest.param(lambda s: s.masked_fill_(triangle(), -torch.inf), id="in place"),
        pytest.param(lambda s: s.masked_fill(MASK[:5, :5], -torch.inf), id="of the whole file"),
        pytest.param(lambda s: s + triangle().float() * -1e9, id="additive"),
        pytest.param(lambda s: torch.where(triangle(), -torch.inf, s), id="where"),
        pytest.param(lambda s: s + torch.arange(5).to(torch.float32), id="of another type"),
        pytest.param(lambda s: torch.zeros(2, 5, 5).copy_(s) + s, id="what was copied to"),
        pytest.param(lambda s: nn.functional.scaled_dot_product_attention(s, s, s, triangle()), id="by keyword"),
    ],
)
def test_a_tensor_that_no_attribute_holds_is_found_where_it_meets_what_moved(use: Callable[[Tensor], Tensor]) -> None:
    assert apart(Layer(use), [torch.randn(2, 5, 4)]) is not None


@pytest.mark.parametrize(
    "use",
    [
        pytest.param(lambda s: s.masked_fill(triangle(device=s.device), -torch.inf), id="on its device"),
        pytest.param(lambda s: s.masked_fill(triangle().to(s.device), -torch.inf), id="sent there"),
        pytest.param(lambda s: s.masked_fill(triangle().type_as(s).bool(), -torch.inf), id="type_as"),
        pytest.param(lambda s: s + (triangle().cuda() if s.is_cuda else triangle()), id="where it asks"),
        pytest.param(lambda s: s + (triangle() if not torch.cuda.is_available() else 0), id="where it asks for a GPU"),
        pytest.param(lambda s: s + (triangle() if s.get_device() < 0 else 0), id="where it asks for a number"),
        pytest.param(lambda s: torch.vmap(lambda one: one * s[0, 0])(s) + s, id="within vmap"),
        pytest.param(lambda s: s * torch.tensor(0.5), id="a single number"),
        pytest.param(lambda s: s[:, torch.tensor([0, 2])] + s[:, :2], id="an index"),
        pytest.param(lambda s: s + torch.zeros_like(s).copy_(triangle()), id="copied there"),
        pytest.param(lambda s: s + torch.arange(5, device=s.device), id="positions on its device"),
        pytest.param(lambda s: s.expand_as(torch.ones(2, 5, 5)) + s, id="for its shape"),
        pytest.param(lambda s: s * float(triangle().sum()), id="for its numbers"),
        pytest.param(lambda s: s if float(s.sum()) > 0 else s + triangle(), id="what asks for numbers"),
        pytest.param(lambda s: torch.stack([s.sum(), s.max()]) + s[..., :2], id="of single numbers"),
        pytest.param(lambda s: s.nothing(), id="what raises"),
    ],
)
def test_what_is_at_home_there_or_cannot_be_tried_is_no_harm(use: Callable[[Tensor], Tensor]) -> None:
    assert apart(Layer(use), [torch.randn(2, 5, 4)]) is None


@pytest.mark.long
def test_a_type_that_sees_to_it_itself_is_no_harm() -> None:
    from torch.nn.attention.bias import causal_lower_right  # takes a second, and nobody else needs it

    assert apart(Layer(lambda s: attended(s, causal_lower_right(5, 5)) + s), [torch.randn(2, 5, 4)]) is None


def test_a_function_that_holds_the_module_itself_is_no_harm() -> None:
    held = Layer(lambda s: s * held.projection.bias[:1])

    assert apart(held, [torch.randn(2, 5, 4)]) is None


def test_of_what_did_not_move_the_line_that_made_it_is_known_where_there_is_one() -> None:
    def use(s: Tensor) -> Tensor:
        mask = torch.ones(5, 5)
        mask = mask.triu(1).bool()
        part = mask[:5, :5]
        return s.masked_fill(part, -torch.inf)

    made = apart(Layer(use), [torch.randn(2, 5, 4)], {__file__})
    held = apart(Layer(lambda s: s.masked_fill(MASK[:5, :5], -torch.inf)), [torch.randn(2, 5, 4)], {"another.py"})

    assert made is not None
    assert made.made == Frame(__file__, use.__code__.co_firstlineno + 2, "use")
    assert held is not None
    assert held.made is None
